import type { ResumeLine } from '#libs/local-engine/resume/resume.js';
import { tokenise } from '#libs/local-engine/resume/tokens.js';
import { count, good, improve, type Checked, type CheckGroup, type Finding } from './finding.js';
import { findPassives } from './passive-voice.js';
import { findStatements } from './statements.js';
import { textBlocks } from './text-blocks.js';
import words from './wording.json' with { type: 'json' };

const FIRST_PERSON = /(?<![\p{L}.])(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]e|[Mm]yself)(?![\p{L}.)])/u;
const BUZZWORDS =
  /\b(?:hard[- ]?working|team player|go[- ]getter|self[- ]starter|self[- ]motivated|results?[- ](?:driven|oriented)|detail[- ]oriented|think(?:ing)? outside the box|synerg\w+|dynamic|passionate|guru|ninja|rock ?star|best of breed|go-to person|proven track record|track record of success|strategic thinker|thought leader\w*|value[- ]add|people person|highly motivated|fast learner|quick learner|excellent communication skills|works? well under pressure|visionary|game[- ]chang\w+|cutting[- ]edge|world[- ]class|wide range of|utili[sz]ed?|leverag\w+)\b/i;
const REPEATED = 4;
const PLAIN = new Set(words.plain);

export function checkWording({ resume }: Checked): CheckGroup {
  const { lines } = resume;
  return {
    title: 'Wording',
    findings: [
      checkPassive(lines),
      about(lines, FIRST_PERSON, 'First person: a resume leaves “I” and “my” out.', 'No “I” or “my”.'),
      about(
        lines,
        BUZZWORDS,
        'Stock phrases that anybody can write: show it by what you did.',
        'No stock phrases of our list.',
      ),
      checkRepeated(resume),
    ],
  };
}

/** True for a passive, the first person, or a stock phrase. */
export const hasPoorWording = (text: string): boolean =>
  FIRST_PERSON.test(text) || BUZZWORDS.test(text) || findPassives(text).length > 0;

function checkPassive(lines: readonly ResumeLine[]): Finding {
  const found = textBlocks(lines).flatMap(({ text, lineAt }) =>
    findPassives(text).map(({ start }) => lineAt(start)),
  );
  return found.length > 0
    ? improve(
        `Passive voice: say who did it, and begin with the verb. (${count(found.length, 'line')})`,
        found,
      )
    : good('No passive voice was recognised.');
}

function about(lines: readonly ResumeLine[], pattern: RegExp, advice: string, praise: string): Finding {
  const found = lines.filter(({ text }) => pattern.test(text));
  return found.length > 0 ? improve(`${advice} (${count(found.length, 'line')})`, found) : good(praise);
}

/** The words that many statements have. */
function checkRepeated(resume: Checked['resume']): Finding {
  const uses = new Map<string, { word: string; lines: Set<ResumeLine> }>();
  for (const { text, line } of findStatements(resume)) {
    for (const { stem, lower } of tokenise(text)) {
      if (lower.length < 4 || PLAIN.has(lower) || /\d/.test(lower)) continue;
      const use = uses.get(stem) ?? { word: lower, lines: new Set() };
      use.lines.add(line);
      uses.set(stem, use);
    }
  }
  const repeated = Array.from(uses.values())
    .filter(({ lines }) => lines.size >= REPEATED)
    .sort((a, b) => b.lines.size - a.lines.size)
    .slice(0, 5);
  const [first] = repeated;
  if (!first) return good('No word stands in many statements.');
  const words = repeated.map(({ word, lines }) => `“${word}” (${lines.size})`).join(', ');
  return improve(
    `Words that stand in many statements: ${words}. Vary them where they are no term of your trade. The first of them:`,
    Array.from(first.lines),
  );
}
