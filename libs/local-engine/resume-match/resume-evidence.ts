import { sectionKind, type SectionKind } from '#libs/local-engine/resume/sections.js';
import { findSkills, withImplying } from '#libs/local-engine/resume/skills/find-skills.js';
import type { Skill } from '#libs/local-engine/resume/skills/skills.js';
import { tokenise } from '#libs/local-engine/resume/tokens.js';
import type { OriginalText } from './original-text.js';

/** A passage of a resume that shows a skill or term. */
export interface Evidence {
  quote: string;
  page: number;
  names: string;
  /** True for keyword stuffing. */
  isKeyword: boolean;
  /** True for the resume's list of skills. */
  isListed: boolean;
}

export interface ResumeEvidence {
  /** The best evidence for any of the skills, or for skills that imply them. */
  ofAny(skills: readonly Skill[]): Evidence | null;
  ofTerm(name: string, stems: readonly string[]): Evidence | null;
}

/** The longest quotation, in characters. */
const LONGEST = 180;

interface Line {
  text: string;
  page: number;
  section: SectionKind | null;
  isKeyword: boolean;
}

export function createResumeEvidence({ pages, keywordLines }: OriginalText): ResumeEvidence {
  const lines = linesOf(pages, keywordLines);
  const bySkill = new Map<string, Evidence[]>();
  for (const { line, text } of joinedLines(lines)) {
    for (const { skill, start, end } of findSkills(text)) {
      // A match that is wholly in the next line is found there.
      if (start > line.text.length || isDisclaimed(text.slice(0, start), text.slice(end))) continue;
      const found = bySkill.get(skill.name) ?? [];
      found.push(evidenceAt(line, end > line.text.length ? text : line.text, start, end, skill.name));
      bySkill.set(skill.name, found);
    }
  }
  return {
    ofAny: (skills) => best(skills.flatMap(withImplying).flatMap((skill) => bySkill.get(skill.name) ?? [])),
    ofTerm: (name, stems) => best(lines.flatMap((line) => termIn(line, name, stems))),
  };
}

function linesOf(pages: readonly string[], keywordLines: ReadonlySet<string>): Line[] {
  let section: SectionKind | null = null;
  return pages.flatMap((page, index) =>
    page.split('\n').map((text, number) => {
      section = sectionKind(text) ?? section;
      return { text, page: index + 1, section, isKeyword: keywordLines.has(`${index + 1}:${number + 1}`) };
    }),
  );
}

/** Each line with the first words of the next line, since a phrase may continue there. */
function joinedLines(lines: Line[]): { line: Line; text: string }[] {
  return lines.map((line, index) => {
    const next = lines[index + 1];
    if (!next || next.page !== line.page || line.text.trim() === '') return { line, text: line.text };
    const reach = tokenise(next.text).slice(0, 2).at(-1)?.end ?? 0;
    return { line, text: `${line.text}\n${next.text.slice(0, reach)}` };
  });
}

function evidenceAt(line: Line, text: string, start: number, end: number, names: string): Evidence {
  return {
    quote: windowAround(text, start, end),
    page: line.page,
    names,
    isKeyword: line.isKeyword,
    isListed: line.section === 'skills',
  };
}

function termIn(line: Line, name: string, stems: readonly string[]): Evidence[] {
  const tokens = tokenise(line.text);
  const at = tokens.findIndex((_, index) =>
    stems.every((stem, offset) => tokens[index + offset]?.stem === stem),
  );
  const first = tokens[at];
  const last = tokens[at + stems.length - 1];
  if (!first || !last || isDisclaimed(line.text.slice(0, first.start), line.text.slice(last.end))) return [];
  return [evidenceAt(line, line.text, first.start, last.end, name)];
}

/** A skill in use is the best evidence, then a list of skills, then keyword stuffing. */
function best(evidence: Evidence[]): Evidence | null {
  const worth = ({ isKeyword, isListed }: Evidence) => (isKeyword ? 0 : isListed ? 1 : 2);
  return evidence.reduce<Evidence | null>((a, b) => (a && worth(a) >= worth(b) ? a : b), null);
}

const DISCLAIMING =
  /\b(?:no|not|never|without|lack(?:ing)?(?: of)?|little|(?:want|wish|hope|eager|keen|looking|like|plan(?:ning)?) to learn|interested in learning|currently learning about)\b[^.;,\n]{0,40}$/i;

/** True if the words around a skill deny it: "No experience with X", "would like to learn X". */
export const isDisclaimed = (before: string, after: string) =>
  (DISCLAIMING.test(before) && !/\bnot only\b/i.test(before)) ||
  /^\s*(?:\(?\s*(?:none|no experience)\b)/i.test(after);

/** The whole line if it is short, otherwise the words around the mention, verbatim. */
function windowAround(text: string, start: number, end: number): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.trim().length <= LONGEST) return trimBullet(line);
  const spare = Math.max(0, LONGEST - (end - start));
  const from = start - spare / 2 <= 0 ? 0 : text.indexOf(' ', Math.floor(start - spare / 2)) + 1 || start;
  const to = end + spare / 2 >= text.length ? text.length : text.lastIndexOf(' ', Math.ceil(end + spare / 2));
  return trimBullet(text.slice(Math.min(from, start), Math.max(to, end)).replace(/\s+/g, ' '));
}

export const trimBullet = (text: string) => text.replace(/^[\s•·▪◦●*\-–—]+/u, '').trim();
