/** Converts Markdown to HTML for the clipboard. The converter loads lazily. */
export async function clipboardHtml(markdown: string): Promise<string> {
  const { toHtmlFragment } = await import('./to-html');
  return toHtmlFragment(markdown);
}
