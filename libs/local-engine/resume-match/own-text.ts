import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import { tokenise, type Token } from '#libs/local-engine/resume/tokens.js';

/** A resume's pages as far as they count, and what was done to make the score look better than the resume is. */
export interface OwnText {
  /** Passages copied from the job description are left out; lines stay lines. */
  pages: string[];
  /** Words of the left out passages. */
  copiedWords: number;
  /** Lines of keyword lists too long to mean anything, as `page:line` from 1 within {@link pages}. */
  keywordLines: ReadonlySet<string>;
}

/** Words in a row that nobody shares with a job description by chance. */
const COPIED = 12;
/** Different skills in one run of list lines; a rich list of a real resume has some thirty. */
const KEYWORDS = 45;

/** What of a resume is its own, beside a job description. */
export function ownTextOf(pages: readonly string[], jobDescription: string): OwnText {
  const runs = shingles(tokenise(jobDescription));
  let copiedWords = 0;
  const own = pages.map((page) => {
    const tokens = tokenise(page);
    const copied = copiedTokens(tokens, runs);
    copiedWords += copied.filter(Boolean).length;
    return withoutTokens(page, tokens, copied);
  });
  return { pages: own, copiedWords, keywordLines: keywordLines(own) };
}

const keyAt = (tokens: Token[], at: number) =>
  tokens
    .slice(at, at + COPIED)
    .map(({ lower }) => lower)
    .join(' ');

function shingles(tokens: Token[]): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + COPIED <= tokens.length; at += 1) found.add(keyAt(tokens, at));
  return found;
}

function copiedTokens(tokens: Token[], runs: ReadonlySet<string>): boolean[] {
  const copied = tokens.map(() => false);
  if (runs.size === 0) return copied;
  for (let at = 0; at + COPIED <= tokens.length; at += 1) {
    if (runs.has(keyAt(tokens, at))) copied.fill(true, at, at + COPIED);
  }
  return copied;
}

function withoutTokens(page: string, tokens: Token[], gone: boolean[]): string {
  let kept = '';
  let from = 0;
  for (const [index, { start, end }] of tokens.entries()) {
    if (!gone[index]) continue;
    kept += page.slice(from, start) + page.slice(start, end).replace(/[^\n]/g, ' ');
    from = end;
  }
  return kept + page.slice(from);
}

function keywordLines(pages: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const [page, text] of pages.entries()) {
    let run: number[] = [];
    let names = new Set<string>();
    const endRun = () => {
      if (names.size >= KEYWORDS) for (const line of run) found.add(`${page + 1}:${line + 1}`);
      run = [];
      names = new Set();
    };
    for (const [line, words] of text.split('\n').entries()) {
      if (words.trim() === '') continue;
      if (!isList(words)) {
        endRun();
        continue;
      }
      run.push(line);
      for (const { skill } of findSkills(words)) names.add(skill.name);
    }
    endRun();
  }
  return found;
}

/** Short items between separators, or words in a row without any grammar. */
function isList(line: string): boolean {
  const items = line.split(/[,;|•·/]/u).filter((item) => item.trim());
  const words = line.split(/\s+/).length;
  if (items.length >= 3) return words / items.length <= 3.5;
  return !/\b(?:the|a|an|to|of|for|with|in|by|was|were|is|are)\b/i.test(line);
}
