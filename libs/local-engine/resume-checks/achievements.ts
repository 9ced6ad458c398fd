import { count, good, improve, note, type CheckGroup, type CheckInput, type Finding } from './finding.js';
import { findStatements, type Statement } from './statements.js';
import words from './achievements.json' with { type: 'json' };

const WEAK =
  /^(?:was |were |i was )?(?:responsible for|duties includ\w+|tasked with|in charge of|worked on|worked as|helped(?: to| with)?|assisted(?: in| with)?|involved in|participated in|part of|handled|dealt with|served as|tried to|in the role of)\b/i;
const STRONG = new Set(words.strong);
/** A number that is a result or an amount, not a date. */
const FIGURE =
  /(?:[$€£¥]\s?\d|\d+(?:[.,]\d+)*\s?(?:%|percent|[kKmM]\b|\+|x\b)|(?<![\d/.-])(?!(?:19|20)\d\d\b)\d+(?:[.,]\d+)*(?![\d/-]))/;

export function checkAchievements({ resume, isEnglish }: CheckInput): CheckGroup {
  const statements = findStatements(resume);
  if (statements.length === 0) {
    return {
      title: 'Achievements',
      findings: [
        improve(
          'No bullets or full lines were found under work experience: say in three to five of them for each position what you did and what came of it.',
        ),
      ],
    };
  }
  return {
    title: 'Achievements',
    findings: [
      checkFigures(statements),
      ...(isEnglish ? [checkWeak(statements), checkVerbs(statements)] : []),
    ],
  };
}

function checkFigures(statements: Statement[]): Finding {
  const without = statements.filter(({ text }) => !FIGURE.test(text));
  const measured = statements.length - without.length;
  const text = `${measured} of ${count(statements.length, 'statement')} ${measured === 1 ? 'has' : 'have'} a figure (${Math.round((100 * measured) / statements.length)}%).`;
  if (measured * 3 >= statements.length) return good(text);
  return improve(
    `${text} Where you know one, add it: how many, how much, how often, how fast. Without one so far:`,
    without.map(({ line }) => line),
  );
}

function checkWeak(statements: Statement[]): Finding {
  const weak = statements.filter(({ text }) => WEAK.test(text));
  return weak.length > 0
    ? improve(
        `${count(weak.length, 'statement')} open${weak.length === 1 ? 's' : ''} with a duty (“Responsible for …”): begin with what you did.`,
        weak.map(({ line }) => line),
      )
    : good('No statement opens with “Responsible for” or the like.');
}

function checkVerbs(statements: Statement[]): Finding {
  const other = statements.filter(({ text }) => !WEAK.test(text) && !opensWithVerb(text));
  const strong = statements.filter(({ text }) => opensWithVerb(text)).length;
  const text = `${strong} of ${count(statements.length, 'statement')} ${strong === 1 ? 'opens' : 'open'} with an action verb.`;
  if (strong * 3 >= statements.length * 2) return good(text);
  return other.length > 0
    ? improve(
        `${text} No such verb was recognised at the start of:`,
        other.map(({ line }) => line),
      )
    : note(text);
}

/** True if a statement opens with an action verb. */
export const opensWithVerb = (text: string) => STRONG.has(firstWord(text));

/** The rest of a statement that opens with a duty, such as “Responsible for”; null for another. */
export function withoutDuty(text: string): string | null {
  const rest = text.replace(WEAK, '');
  return rest === text ? null : rest.replace(/^[\s:,–-]+/, '');
}

const firstWord = (text: string) =>
  (/^\W*(?:[Ii]\s)?(?:\w+ly\s)?(\p{L}+)/u.exec(text)?.[1] ?? '').toLowerCase();
