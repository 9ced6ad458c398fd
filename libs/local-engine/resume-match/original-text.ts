import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import type { TextContext } from '#libs/local-engine/resume/skills/is-meant.js';
import { textContext } from '#libs/local-engine/resume/skills/text-context.js';
import type { DetectedLanguage } from '#libs/local-engine/resume/languages/detect.js';
import { tokenise, type Token } from '#libs/local-engine/resume/tokens.js';

/** A resume without passages copied from the job description, and signs of keyword stuffing. */
export interface OriginalText {
  /** Copied passages are replaced by spaces; line breaks are kept. */
  pages: string[];
  copiedWords: number;
  /** Lines of keyword stuffing, as `page:line` from 1 within {@link pages}. */
  keywordLines: ReadonlySet<string>;
  /** Of the whole resume. */
  context: TextContext & DetectedLanguage;
}

/** A passage with this many equal words in a row is copied. */
const MIN_COPIED_WORDS = 12;
/** Consecutive list lines with this many different skills are keyword stuffing; real resumes have up to about 30. */
const MIN_LISTED_SKILLS = 45;

export function findOriginalText(pages: readonly string[], jobDescription: string): OriginalText {
  const runs = shingles(tokenise(jobDescription));
  let copiedWords = 0;
  const own = pages.map((page) => {
    const tokens = tokenise(page);
    const copied = copiedTokens(tokens, runs);
    copiedWords += copied.filter(Boolean).length;
    return withoutTokens(page, tokens, copied);
  });
  const context = textContext(pages.join('\n'));
  return { pages: own, copiedWords, keywordLines: keywordLines(own, context), context };
}

const keyAt = (tokens: Token[], at: number) =>
  tokens
    .slice(at, at + MIN_COPIED_WORDS)
    .map(({ lower }) => lower)
    .join(' ');

function shingles(tokens: Token[]): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + MIN_COPIED_WORDS <= tokens.length; at += 1) found.add(keyAt(tokens, at));
  return found;
}

function copiedTokens(tokens: Token[], runs: ReadonlySet<string>): boolean[] {
  const copied = tokens.map(() => false);
  if (runs.size === 0) return copied;
  for (let at = 0; at + MIN_COPIED_WORDS <= tokens.length; at += 1) {
    if (runs.has(keyAt(tokens, at))) copied.fill(true, at, at + MIN_COPIED_WORDS);
  }
  return copied;
}

function withoutTokens(page: string, tokens: Token[], removed: boolean[]): string {
  let rest = '';
  let from = 0;
  for (const [index, { start, end }] of tokens.entries()) {
    if (!removed[index]) continue;
    rest += page.slice(from, start) + page.slice(start, end).replace(/[^\n]/g, ' ');
    from = end;
  }
  return rest + page.slice(from);
}

function keywordLines(pages: readonly string[], context: TextContext): Set<string> {
  const found = new Set<string>();
  for (const [page, text] of pages.entries()) {
    let run: number[] = [];
    let names = new Set<string>();
    const endRun = () => {
      if (names.size >= MIN_LISTED_SKILLS) for (const line of run) found.add(`${page + 1}:${line + 1}`);
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
      for (const { skill } of findSkills(words, context)) names.add(skill.name);
    }
    endRun();
  }
  return found;
}

/** True if a line has short items between separators, or no function words. */
function isList(line: string): boolean {
  const items = line.split(/[,;|•·/]/u).filter((item) => item.trim());
  const words = line.split(/\s+/).length;
  if (items.length >= 3) return words / items.length <= 3.5;
  return !/\b(?:the|a|an|to|of|for|with|in|by|was|were|is|are)\b/i.test(line);
}
