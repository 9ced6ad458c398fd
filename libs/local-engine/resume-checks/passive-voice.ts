import { sentencesOf } from '#libs/local-engine/text/sentences.js';
import words from './passive-voice.json' with { type: 'json' };

/** Participles that describe somebody, in place of an action. */
const STATIVE = new Set(words.stative);
const IRREGULAR =
  'given|made|done|taken|chosen|held|built|led|kept|sent|written|shown|seen|brought|put|set|won|driven|sold|taught|told|paid|met|found|left|lost|cut|drawn|grown|known|thrown|run|spent|begun|broken|spoken|worn|understood|sought|bought|caught|dealt|fed|hung|heard|laid|overseen|undertaken|rebuilt|rewritten|redone|withdrawn|hidden|hit|split|shut|read|lit|bid';
const PASSIVE = new RegExp(
  String.raw`(?<![\p{L}’'])(was|were|been|being|is|are|am|be|got|get)\s+(?:(?:also|then|later|often|always|first|never|not|recently|subsequently|soon|\p{L}+ly)\s+){0,2}(\p{L}{2,}ed|${IRREGULAR})(?![\p{L}-])`,
  'giu',
);
/** Words that begin a subordinate clause. */
const SUBORDINATE =
  /(?<![\p{L}-])(?:who|whom|whose|which|that|where|when|while|whilst|because|since|after|before|until|as|if|unless|although|though|so|than|how|what|why|whether)(?![\p{L}-])/iu;
/** After these words, a passive reports no action: "can be reached", "the first to be promoted". */
const NO_STATEMENT =
  /(?:\b(?:to|can|could|may|might|would|should|must|will|cannot)(?:\s+(?:also|only|then))?\s*)$/i;

/** A passive in a text, by its offsets. */
export interface Passive {
  start: number;
  end: number;
}

/**
 * The passives of main clauses: "Was given the task", "Reports were written each week". Those of relative and other
 * subordinate clauses ("four engineers, two of whom were promoted") and adjectives ("is interested in") are none.
 */
export function findPassives(text: string): Passive[] {
  return sentencesOf(text).flatMap(({ start, end }) => {
    const sentence = text.slice(start, end);
    for (const match of sentence.matchAll(PASSIVE)) {
      if (isPassive(sentence, match)) {
        return [{ start: start + match.index, end: start + match.index + match[0].length }];
      }
    }
    return [];
  });
}

function isPassive(sentence: string, match: RegExpExecArray): boolean {
  const [whole, auxiliary = '', participle = ''] = match;
  const before = sentence.slice(0, match.index);
  const after = sentence.slice(match.index + whole.length);
  const form = participle.toLowerCase();
  if (STATIVE.has(form) || /^(?:un|self-)/.test(form)) return false;
  if (/^(?:got|get)$/i.test(auxiliary) && !/^(?:given|chosen|asked|tasked|selected|assigned)$/.test(form))
    return false;
  // "is based on" and "were set to grow" describe; "is used to working" too.
  if (
    /^(?:is|are|am)$/i.test(auxiliary) &&
    /^\s+(?:to|in|on|with|about|at|of)\b/i.test(after) &&
    ADJECTIVAL.has(form)
  )
    return false;
  if (NO_STATEMENT.test(before)) return false;
  // The clause that the passive belongs to: after the last comma, semicolon or colon.
  const clauseStart = Math.max(
    before.lastIndexOf(','),
    before.lastIndexOf(';'),
    before.lastIndexOf(':'),
    before.lastIndexOf('–'),
    before.lastIndexOf('—'),
    before.lastIndexOf('('),
  );
  const clause = before.slice(clauseStart + 1);
  if (SUBORDINATE.test(clause)) return false;
  // "one of them being promoted", "Led a team, all members being trained".
  if (/^being$/i.test(auxiliary) && clause.trim() !== '') return false;
  return true;
}

const ADJECTIVAL = new Set(words.adjectival);
