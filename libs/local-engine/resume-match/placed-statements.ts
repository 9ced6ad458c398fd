import { findStatements } from '#libs/local-engine/resume-checks/statements.js';
import { isBullet, type ResumeLine } from '#libs/local-engine/resume/resume.js';
import { findSections } from '#libs/local-engine/resume/sections.js';
import { findWorkEntries } from '#libs/local-engine/resume/work-entries.js';
import { shorten } from '#libs/contract/text.js';
import { oneLine } from '#libs/local-engine/text/markdown-text.js';

/** A bullet of a resume, or a line of its work history, with its position. */
export interface PlacedStatement {
  text: string;
  /** From 1. */
  page: number;
  /** The lines about its position (title, employer, dates), or the heading of its section; null without either. */
  position: string | null;
}

/** A resume has fewer. */
const MOST_STATEMENTS = 400;
const LONGEST_POSITION = 120;

export function findPlacedStatements(lines: readonly ResumeLine[]): PlacedStatement[] {
  const positions = new Map<ResumeLine, string>();
  for (const { heading, lines: within } of findSections(lines)) {
    for (const line of within) positions.set(line, nameOf([heading]));
  }
  for (const { lines: within } of findWorkEntries(lines)) {
    const bullet = within.findIndex(isBullet);
    const name = nameOf(within.slice(0, bullet < 0 ? 1 : bullet));
    if (name) for (const line of within) positions.set(line, name);
  }
  return findStatements({ lines: [...lines] })
    .slice(0, MOST_STATEMENTS)
    .map(({ text, line }) => ({
      text: oneLine(text),
      page: line.page,
      position: positions.get(line) ?? null,
    }));
}

const nameOf = (lines: readonly ResumeLine[]) =>
  shorten(oneLine(lines.map(({ text }) => text).join(', ')), LONGEST_POSITION);
