import { opensWithVerb, withoutDuty } from '#libs/local-engine/resume-checks/achievements.js';
import { hasPoorWording } from '#libs/local-engine/resume-checks/wording.js';
import type { ChosenStatement } from '#libs/local-engine/resume-match/choose-statements.js';
import type { LanguageFault } from '#libs/contract/language-faults.js';

/** A statement of an English resume as a sentence of a letter. */
interface LetterSentence {
  text: string;
  /** True if the statement itself cannot stand in a letter, and the sentence only names what it shows. */
  isReplaced: boolean;
}

/**
 * Words a statement as a sentence of a letter, so that a line that a review criticises is not copied: “Responsible for the
 * tuning of queries” becomes “My work included the tuning of queries.” Adds no fact. A statement with a passive, the first
 * person, a stock phrase or a language fault is replaced by the names that it shows.
 */
export function letterSentence(
  statement: ChosenStatement,
  faults: readonly (LanguageFault & { page: number })[],
): LetterSentence {
  const text = statement.text.replace(/[\s.;,]+$/, '');
  const hasFault = faults.some(({ page, quote }) => page === statement.page && text.includes(quote));
  const rest = withoutDuty(text);
  if (
    hasFault ||
    hasPoorWording(rest ?? text) ||
    rest === '' ||
    (rest !== null && withoutDuty(rest) !== null)
  ) {
    const names = statement.shows.map(({ name }) => name);
    return { text: `My work involved ${list.format(names)}.`, isReplaced: true };
  }
  if (rest !== null) return { text: `My work included ${rest}.`, isReplaced: false };
  const isAction = opensWithVerb(text) || /^\p{L}\p{Ll}+ed\b/u.test(text);
  return {
    text: isAction ? `I ${text.charAt(0).toLowerCase()}${text.slice(1)}.` : `My work included ${text}.`,
    isReplaced: false,
  };
}

const list = new Intl.ListFormat('en-GB');
