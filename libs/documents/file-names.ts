import { plainFileName } from '#libs/contract/text.js';

const MAX_STEM_CHARACTERS = 150;

/** Removes folders and control characters from a file name. @returns `document.pdf` for a name without letters and digits */
export function toFileName(name: string): string {
  const plain = plainFileName(name);
  if (!/[\p{L}\p{N}]/u.test(plain)) return 'document.pdf';
  const { stem, ending } = split(plain);
  return Array.from(stem).slice(0, MAX_STEM_CHARACTERS).join('').trimEnd() + ending;
}

/** Makes a name unique. @returns `name`, or if it is taken, the first free name of `report (2).pdf`, `report (3).pdf` … */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const { stem, ending } = split(name);
  for (let number = 2, candidate = name; ; number += 1) {
    if (!taken.has(candidate)) return candidate;
    candidate = `${stem} (${number})${ending}`;
  }
}

function split(name: string): { stem: string; ending: string } {
  const ending = /(?<=.)\.\w{1,5}$/.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - ending.length), ending };
}
