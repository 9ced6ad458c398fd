import { fileKinds, type FileKind } from '#libs/contract/file-kinds.js';

const extensions: Record<FileKind, readonly string[]> = {
  pdf: ['.pdf'],
  image: ['.png', '.jpg', '.jpeg', '.webp'],
  mask: ['.png'],
};

/** What a file input of a kind lets a user choose. */
export const acceptOf = (kind: FileKind) => [...fileKinds[kind].types, ...extensions[kind]].join(',');

/**
 * Why a chosen file cannot be sent, as a sentence that names it; null when it can. The server judges by the bytes;
 * what the browser says of a file spares a user the wait.
 */
export function checkFile(kind: FileKind, file: Pick<File, 'name' | 'type' | 'size'>): string | null {
  const { types, maxBytes, accepted, tooLarge } = fileKinds[kind];
  // A browser that does not know a type says nothing of it; the name has to do then.
  const fits =
    file.type === ''
      ? extensions[kind].some((extension) => file.name.toLowerCase().endsWith(extension))
      : types.includes(file.type);
  if (!fits) return `“${file.name}” cannot be used. ${accepted}`;
  if (file.size === 0) return `“${file.name}” is empty. ${accepted}`;
  if (file.size > maxBytes) return `“${file.name}” is too large: ${formatBytes(file.size)}. ${tooLarge}`;
  return null;
}

/** "1.4 MB", rounded up, so that a file over a limit never looks as if it were within it. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes < 0.1
    ? `${Math.ceil(bytes / 1024)} KB`
    : `${(Math.ceil(megabytes * 10) / 10).toLocaleString('en')} MB`;
}
