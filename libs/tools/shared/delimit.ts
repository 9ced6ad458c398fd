/** Puts a user's text between tags that the text itself cannot close. */
export function delimit(mark: string, text: string): string {
  return `<${mark}>\n${text.replace(new RegExp(`<(/?\\s*${mark})`, 'gi'), '‹$1')}\n</${mark}>`;
}
