import type { Creation } from '#libs/contract/creations.js';
import { readEditPrompt } from '#libs/contract/images.js';
import { plainFileName } from '#libs/contract/text.js';

/**
 * The name of a downloaded image: the name that the user gave it, else that of the edited file, such as
 * `baseball-no-background.png`, else the fallback with the time in milliseconds.
 * @param change what was done to the image afterwards, in place of what was removed
 */
export function downloadName(
  creation: Pick<Creation, 'prompt' | 'name'> | undefined,
  fallback: string,
  extension: string,
  change?: string,
): string {
  const name = creation?.name ?? nameOfEdit(creation?.prompt ?? '', change);
  const stem = name === null ? `${fallback}-${Date.now()}` : plainFileName(name.replaceAll(/[/\\]/g, '-'));
  return `${stem}.${extension}`;
}

function nameOfEdit(prompt: string, change: string | undefined): string | null {
  const edit = readEditPrompt(prompt);
  if (edit === null) return null;
  const removed = edit.removed === 'Background' ? 'no-background' : 'object-removed';
  return `${withoutExtension(edit.fileName)}-${change ?? removed}`;
}

const withoutExtension = (name: string) => name.replace(/(?<=.)\.\w{1,5}$/, '');

/** Words as a part of a file name: "White background, soft shadow" becomes `white-background-soft-shadow`. */
export const toNamePart = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
