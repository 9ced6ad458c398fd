/** A user's text as content for a model, between marks that nothing inside of it can close. */
export function delimit(mark: string, text: string): string {
  return `<${mark}>\n${text.replace(new RegExp(`<(/?\\s*${mark})`, 'gi'), '‹$1')}\n</${mark}>`;
}
