import { foreignTerms } from '#libs/local-engine/resume/skills/foreign-terms.js';
import { phrasesOf } from '#libs/local-engine/resume/languages/languages.js';
import { sectionKind, type SectionKind } from '#libs/local-engine/resume/sections.js';
import { findSkills, skillNamed, withImplying } from '#libs/local-engine/resume/skills/find-skills.js';
import type { Skill } from '#libs/local-engine/resume/skills/skills.js';
import { tokenise, type Token } from '#libs/local-engine/resume/tokens.js';
import type { Asked } from './comparison.js';
import { disclaimer } from './disclaimer.js';
import { isCompany } from './employer.js';
import { isLower, levelsAfter, type LanguageLevel } from './language-level.js';
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
  /** The best evidence for any of the skills, or for skills that imply them, or for any of the terms. */
  ofAny(asked: readonly Asked[]): Evidence | null;
  /** The highest level that the resume names after a language. */
  levelOf(skill: Skill): LanguageLevel | undefined;
}

/** The longest quotation, in characters. */
const LONGEST = 180;
/** Longer lines are read in parts. */
const LONGEST_LINE = 1_000;

interface Line {
  text: string;
  page: number;
  section: SectionKind | null;
  isKeyword: boolean;
}

export function createResumeEvidence({ pages, keywordLines, context }: OriginalText): ResumeEvidence {
  const lines = linesOf(pages, keywordLines);
  const bySkill = new Map<string, Evidence[]>();
  const denied = new Set<string>();
  const levels = new Map<string, LanguageLevel>();
  const stemOf = foreignTerms(context.language)?.stemOf;
  const read = new Map<string, (Token & { key: string })[]>();
  const keysOf = (text: string) => {
    const known =
      read.get(text) ??
      tokenise(text).map((token) => ({ ...token, key: stemOf ? stemOf(token.lower) : token.stem }));
    read.set(text, known);
    return known;
  };
  for (const { line, text } of joinedLines(lines)) {
    for (const mention of [...findSkills(text, context), ...leadershipIn(line.text)]) {
      const { skill, start, end } = mention;
      // A match that is wholly in the next line is found there.
      if (start > line.text.length || isCompany(text, mention)) continue;
      const disclaimed = disclaimer(text.slice(0, start), text.slice(end), context.language);
      if (disclaimed === 'denied') denied.add(skill.name);
      if (disclaimed) continue;
      const known = levels.get(skill.name);
      const level = levelsAfter(skill, text.slice(end)).at(-1);
      if (level && (!known || isLower(known, level))) levels.set(skill.name, level);
      const found = bySkill.get(skill.name) ?? [];
      found.push(evidenceAt(line, end > line.text.length ? text : line.text, start, end, skill.name));
      bySkill.set(skill.name, found);
    }
  }
  const ofSkill = (skill: Skill) =>
    denied.has(skill.name)
      ? []
      : withImplying(skill).flatMap(({ name }) => (denied.has(name) ? [] : (bySkill.get(name) ?? [])));
  return {
    ofAny: (asked) =>
      best(
        asked.flatMap((one) =>
          'skill' in one ? ofSkill(one.skill) : lines.flatMap((line) => termIn(line, one.term)),
        ),
      ),
    levelOf: ({ name }) => levels.get(name),
  };

  /** "Led a team of five" shows leadership, in no word of the list of skills. */
  function leadershipIn(text: string) {
    const skill = skillNamed('Team leadership');
    const patterns = [phrasesOf('en').leadership, phrasesOf(context.language).leadership];
    const match = patterns.map((pattern) => pattern.exec(text)).find((found) => found !== null);
    return skill && match ? [{ skill, start: match.index, end: match.index + match[0].length }] : [];
  }

  function termIn(line: Line, term: string): Evidence[] {
    const wanted = keysOf(term).map(({ key }) => key);
    const tokens = keysOf(line.text);
    const at = tokens.findIndex((_, index) =>
      wanted.every((key, offset) => tokens[index + offset]?.key === key),
    );
    const first = tokens[at];
    const last = tokens[at + wanted.length - 1];
    if (!first || !last) return [];
    if (disclaimer(line.text.slice(0, first.start), line.text.slice(last.end), context.language)) return [];
    return [evidenceAt(line, line.text, first.start, last.end, term)];
  }
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
    const reach = tokenise(next.text.slice(0, LONGEST_LINE)).slice(0, 2).at(-1)?.end ?? 0;
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

/** A skill in use is the best evidence, then a list of skills, then keyword stuffing. */
function best(evidence: Evidence[]): Evidence | null {
  const worth = ({ isKeyword, isListed }: Evidence) => (isKeyword ? 0 : isListed ? 1 : 2);
  return evidence.reduce<Evidence | null>((a, b) => (a && worth(a) >= worth(b) ? a : b), null);
}

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
