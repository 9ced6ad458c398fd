import { fleschEase } from '#libs/local-engine/text/readability.js';
import {
  count,
  good,
  improve,
  improveIf,
  note,
  type Checked,
  type CheckGroup,
  type CheckInput,
  type Finding,
} from './finding.js';
import { findStatements } from './statements.js';

const LONG_BULLET = 35;
const SHORT_BULLET = 4;

export function checkLength({ resume, isEnglish }: CheckInput): CheckGroup {
  return {
    title: 'Length and readability',
    findings: [checkSize(resume), ...checkBullets(resume), ...(isEnglish ? checkEase(resume) : [])],
  };
}

function checkSize({ pages, words }: Checked['resume']): Finding {
  const size = `${count(pages.length, 'page')}, ${count(words, 'word')}`;
  if (pages.length > 2 || words > 1200) {
    return improve(
      `${size}: outside of academia, two pages and some 1,000 words are what is read. Shorten what is oldest.`,
    );
  }
  return words < 250
    ? improve(`${size}: short. Say more of what you did in your last positions.`)
    : good(`${size}: a usual length.`);
}

function checkBullets(resume: Checked['resume']): Finding[] {
  const statements = findStatements(resume);
  if (statements.length === 0) return [];
  const long = statements.filter(({ words }) => words > LONG_BULLET);
  const short = statements.filter(({ words }) => words < SHORT_BULLET);
  const average = Math.round(statements.reduce((sum, { words }) => sum + words, 0) / statements.length);
  const findings = [
    note(`Statements have ${count(average, 'word')} on average.`),
    ...improveIf(
      long.map(({ line }) => line),
      `${count(long.length, 'statement')} of more than ${LONG_BULLET} words: split or shorten.`,
    ),
    ...improveIf(
      short.map(({ line }) => line),
      `${count(short.length, 'statement')} of fewer than ${SHORT_BULLET} words: too short to tell anything.`,
    ),
  ];
  return findings.length > 1 ? findings : [...findings, good('None is too long or too short.')];
}

/** The Flesch reading ease of the statements, each counted as one sentence. */
function checkEase(resume: Checked['resume']): Finding[] {
  const statements = findStatements(resume);
  const words = statements.flatMap(({ text }) => text.match(/\p{L}+/gu) ?? []);
  if (words.length < 50) return [];
  const ease = Math.round(fleschEase(words, statements.length));
  return [
    ease < 0
      ? improve(
          `Flesch reading ease ${ease}: very hard to read. Shorter words and statements help; terms of your trade are fine.`,
        )
      : note(
          `Flesch reading ease ${ease} (resumes usually lie between 0 and 50, as terms of a trade are long words).`,
        ),
  ];
}
