import { SIGNATURE_BYTES, typeOf } from '#libs/contract/file-type.js';
import { fileKinds, type FileKind } from '#libs/contract/limits.js';

const extensions: Record<FileKind, readonly string[]> = {
  pdf: ['.pdf'],
  resume: ['.pdf', '.docx'],
  document: ['.pdf', '.docx', '.html', '.htm', '.md', '.markdown', '.txt'],
  image: ['.png', '.jpg', '.jpeg', '.webp', '.avif', '.heic', '.heif', '.gif', '.tif', '.tiff', '.bmp'],
  picture: ['.png', '.jpg', '.jpeg', '.webp'],
  mask: ['.png'],
};

/** Value of the `accept` attribute of a file input. */
export const acceptOf = (kind: FileKind) => [...fileKinds[kind].types, ...extensions[kind]].join(',');

/** Gives a file the type that its bytes have, since its extension may be missing or wrong. */
export async function withDetectedType(file: File): Promise<File> {
  const head = await file
    .slice(0, SIGNATURE_BYTES)
    .arrayBuffer()
    .catch(() => null);
  const type = head === null ? undefined : typeOf(new Uint8Array(head));
  if (type === undefined || type === file.type) return file;
  return new File([file], file.name, { type, lastModified: file.lastModified });
}

/** Checks a file's type and size; the server checks the content. @returns an error message for the user, or null if valid */
export function checkFile(kind: FileKind, file: Pick<File, 'name' | 'type' | 'size'>): string | null {
  const { types, maxBytes, accepted, tooLarge } = fileKinds[kind];
  const hasExtension = extensions[kind].some((extension) => file.name.toLowerCase().endsWith(extension));
  // Browsers leave `type` empty if they don't know the type, and have several types for Markdown.
  const isAccepted = types.includes(file.type) || (hasExtension && (file.type === '' || kind === 'document'));
  if (!isAccepted) return `“${file.name}” cannot be used. ${accepted}`;
  if (file.size === 0) return `“${file.name}” is empty. ${accepted}`;
  if (file.size > maxBytes) return `“${file.name}” is too large: ${formatBytes(file.size)}. ${tooLarge}`;
  return null;
}

/** Formats a size as "1.4 MB". Rounds up, so that a file just over a limit isn't displayed as exactly the limit. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes < 0.1
    ? `${Math.ceil(bytes / 1024)} KB`
    : `${(Math.ceil(megabytes * 10) / 10).toLocaleString('en')} MB`;
}
