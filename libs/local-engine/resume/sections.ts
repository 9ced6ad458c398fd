import { foldLetters } from '#libs/local-engine/text/fold-letters.js';
import type { ResumeLine } from './resume.js';
import headings from './section-headings.json' with { type: 'json' };

export type SectionKind = keyof typeof headings;

export interface Section {
  kind: SectionKind;
  heading: ResumeLine;
  /** The lines up to the next heading. */
  lines: ResumeLine[];
}

const kinds = new Map<string, SectionKind>(
  (Object.keys(headings) as SectionKind[]).flatMap((kind) =>
    headings[kind].map((heading) => [heading, kind] as const),
  ),
);

export function findSections(lines: readonly ResumeLine[]): Section[] {
  const sections: Section[] = [];
  for (const line of lines) {
    const kind = sectionKind(line.text);
    if (kind) sections.push({ kind, heading: line, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** The kind of section that a line is the heading of, or null. Spaced letters ("S K I L L S") are joined. */
export function sectionKind(line: string): SectionKind | null {
  const joined = /^(?:\p{L} ){3,}\p{L}$/u.test(line.trim()) ? line.replaceAll(' ', '') : line;
  const words = foldLetters(joined)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // "Skills: Python, SQL" is no heading.
  return /\d/.test(line) ? null : (kinds.get(words) ?? null);
}
