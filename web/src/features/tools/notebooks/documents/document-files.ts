import { PDF_MAX_BYTES } from '#libs/contract/limits.js';
import { formatBytes } from '../../../../shared/lib/check-file';

const EXTENSIONS = ['.pdf', '.docx', '.txt', '.md', '.markdown', '.html', '.htm'];

/** Value of the `accept` attribute. By extension, since browsers do not know the media type of Markdown. */
export const DOCUMENT_ACCEPT = EXTENSIONS.join(',');

/** Checks a file's name and size; the server checks the content. @returns an error message for the user, or null if valid */
export function checkDocument({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  if (!EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension)))
    return `“${name}” cannot be used. Choose PDF, Word (DOCX), text, Markdown or HTML files.`;
  if (size === 0) return `“${name}” is empty.`;
  if (size > PDF_MAX_BYTES)
    return `“${name}” is too large: ${formatBytes(size)}. A document may have up to ${formatBytes(PDF_MAX_BYTES)}.`;
  return null;
}
