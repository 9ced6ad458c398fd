import { sentencesOf } from '#libs/local-engine/text/sentences.js';
import type { Edit } from './phrase-edits.js';

/** Longer sentences are divided, in words. */
const MAX_WORDS = 30;
/** The shortest half, in words. */
const MIN_HALF_WORDS = 8;

/** A sentence can be divided after a comma or semicolon, before a clause with its own subject. */
const joint =
  /(?:,\s+(?<conjunction>and|but|so)\s+|;\s+(?:(?<adverb>however|therefore|instead|still|meanwhile|as a result|for example|in fact),\s+|(?:and|but)\s+)?)(?=(?<subject>it|they|we|you|he|she|this|these|those|there)\s+(?:is|are|was|were|has|have|had|can|could|will|would|should|must|may|might|do|does|did|also|often|\p{Ll}+(?:s|ed|t|n|e|w)\b))/giu;

/** A half with these words is no complete sentence. */
const dependent =
  /^(?:if|when|whenever|while|although|though|because|since|as|unless|until|whether|after|before|once|given|not only)\b/i;
const reported =
  /\b(?:say|says|said|claim|claims|claimed|argue|argues|argued|believe|believes|believed|think|thinks|thought|report|reports|reported|state|states|stated|show|shows|showed|found|suggest|suggests|suggested|know|knows|knew|mean|means|so|such|both|either|neither|whether|ensure|ensures|according)\b/i;

/** Divides each long sentence once, at the safe joint nearest to the middle, if there is one. */
export function divisionEdits(text: string): Edit[] {
  return sentencesOf(text).flatMap(({ start, end }) => {
    const sentence = text.slice(start, end);
    if (wordsIn(sentence) <= MAX_WORDS || dependent.test(sentence)) return [];
    const joints = [...sentence.matchAll(joint)].filter((match) => isSafe(sentence, match));
    const middle = sentence.length / 2;
    const [best] = joints.sort((a, b) => Math.abs(a.index - middle) - Math.abs(b.index - middle));
    return best ? [divide(best, start, text)] : [];
  });
}

function isSafe(sentence: string, match: RegExpExecArray): boolean {
  const before = sentence.slice(0, match.index);
  const after = sentence.slice(match.index + match[0].length);
  return (
    wordsIn(before) >= MIN_HALF_WORDS &&
    wordsIn(after) >= MIN_HALF_WORDS &&
    isBalanced(before) &&
    !reported.test(before) &&
    // A comma before the joint may belong to a list or clause that continues after it.
    !/\b(?:if|when|while|because|although|which|who|whose|where|(?<!\b(?:in|at|of|by|from|on|during|since|after|before) )that)\b[^,;]*$/i.test(
      before,
    )
  );
}

function divide(match: RegExpExecArray, offset: number, text: string): Edit {
  const { conjunction = '', adverb, subject = '' } = match.groups ?? {};
  const start = offset + match.index;
  const stop = start + match[0].length;
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const lead = adverb
    ? `${capital(adverb)}, `
    : conjunction && conjunction.toLowerCase() !== 'and'
      ? `${capital(conjunction)} `
      : '';
  if (lead) return { start, end: stop, text: `. ${lead}` };
  return { start, end: stop + subject.length, text: `. ${capital(text.slice(stop, stop + subject.length))}` };
}

const wordsIn = (text: string) => text.split(/\s+/u).filter(Boolean).length;

/** True if all brackets, quotation marks and marks of emphasis are closed. */
export function isBalanced(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return (
    count(/[([{]/g) === count(/[)\]}]/g) &&
    count(/"/g) % 2 === 0 &&
    count(/[“„«]/g) === count(/[”»]/g) &&
    count(/[*_~`]/g) % 2 === 0 &&
    count(/\*\*|__|~~/g) % 2 === 0
  );
}
