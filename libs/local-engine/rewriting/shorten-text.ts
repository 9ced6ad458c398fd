import { isBalanced } from '#libs/local-engine/humanizer/division-edits.js';
import { createEditor } from '#libs/local-engine/humanizer/editor.js';
import { factsOf } from '#libs/local-engine/text/facts/facts.js';
import { plainOf } from '#libs/local-engine/text/facts/plain.js';
import { proseOf } from '#libs/local-engine/text/prose.js';
import { sentencesOf } from '#libs/local-engine/text/sentences.js';
import words from './shorten-text.json' with { type: 'json' };

/** The share of a passage's words that stay. */
const KEPT_SHARE = 0.65;

/** One or several sentences that stay or go together. */
interface Unit {
  /** The index of its paragraph, and its place in it. */
  paragraph: number;
  start: number;
  end: number;
  words: number;
  score: number;
}

/** Sentences that begin so say nothing without the one before. */
const leansOnBefore =
  /^["“(*_]*(?:this|that|these|those|it|its|he|she|they|his|her|their|such|but|and|or|so|yet|however|therefore|thus|hence|then|still|instead|otherwise|also|besides|moreover|furthermore|for (?:example|instance)|in (?:fact|turn|other words)|as a result|because of this|on the other hand|the (?:former|latter|same|second|third|other)|both|neither|another|here|there)\b/i;
/** What announces what follows. */
const LEADS_ON = /[:：]["”)*_]*$/u;
const COMMON = new Set(words.common);

/**
 * Shortens an English Markdown text by leaving sentences out: those whose words come least often in it. Stock phrases
 * go first, and a sentence that needs the one before it stays or goes with it. Each paragraph keeps something.
 * @returns null where nothing can be left out
 */
export function shortenText(source: string): string | null {
  const edit = createEditor(['phrase']);
  const paragraphs = proseOf(source).map((prose) => ({
    ...prose,
    text: edit(source.slice(prose.start, prose.end)).text,
  }));
  const weights = wordWeights(paragraphs.map(({ text }) => text).join('\n\n'));
  const units = paragraphs.flatMap(({ text }, paragraph) => unitsOf(text, paragraph, weights));
  const gone = chooseUnits(units);
  let at = 0;
  let shortened = '';
  paragraphs.forEach(({ start, end, text }, paragraph) => {
    const left = units.filter((unit) => unit.paragraph === paragraph && gone.has(unit));
    shortened += source.slice(at, start) + (left.length === 0 ? text : without(text, left));
    at = end;
  });
  shortened += source.slice(at);
  return shortened.length < source.length ? shortened : null;
}

/** The units that go: the weakest of paragraphs that have others, as far as it brings the length nearer to its target. */
function chooseUnits(units: readonly Unit[]): Set<Unit> {
  let words = units.reduce((sum, unit) => sum + unit.words, 0);
  const target = words * KEPT_SHARE;
  const left = new Map<number, number>();
  for (const { paragraph } of units) left.set(paragraph, (left.get(paragraph) ?? 0) + 1);
  const gone = new Set<Unit>();
  for (const unit of units.toSorted((one, other) => one.score - other.score)) {
    if (words <= target || unit.score === Infinity) break;
    const others = left.get(unit.paragraph) ?? 0;
    if (others < 2 || Math.abs(words - unit.words - target) > words - target) continue;
    gone.add(unit);
    words -= unit.words;
    left.set(unit.paragraph, others - 1);
  }
  return gone;
}

function unitsOf(text: string, paragraph: number, weights: ReadonlyMap<string, number>): Unit[] {
  const groups: { start: number; end: number }[] = [];
  for (const sentence of sentencesOf(text)) {
    const last = groups.at(-1);
    const joins =
      last !== undefined &&
      (leansOnBefore.test(text.slice(sentence.start, sentence.end)) ||
        LEADS_ON.test(text.slice(last.start, last.end)));
    if (joins) last.end = sentence.end;
    else groups.push({ ...sentence });
  }
  // What emphasis or a link spans several sentences stays whole.
  const isWhole = groups.every(({ start, end }) => isBalanced(text.slice(start, end)));
  const ranges = isWhole ? groups : [{ start: 0, end: text.length }];
  return ranges.map(({ start, end }, index) => {
    const words = text.slice(start, end);
    // What announces a list stays.
    const bonus = LEADS_ON.test(words) ? Infinity : index === 0 ? OPENING_BONUS : 0;
    return {
      ...{ paragraph, start, end },
      words: wordsOf(words).length,
      score: scoreOf(words, weights) + bonus,
    };
  });
}

/** A paragraph opens with what it is about. */
const OPENING_BONUS = 0.35;
const FACT_BONUS = 0.12;
const MOST_FACTS_COUNTED = 3;

/** How much a sentence says of what the whole is about, from 0 to about 2. */
function scoreOf(sentence: string, weights: ReadonlyMap<string, number>): number {
  const words = contentWords(sentence);
  if (words.length === 0) return 0;
  const shared = words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0) / words.length;
  const facts = factsOf(sentence).filter(({ weak }) => !weak).length;
  return shared + Math.min(facts, MOST_FACTS_COUNTED) * FACT_BONUS;
}

/** How often each word comes, of the most frequent one. */
function wordWeights(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of contentWords(plainOf(text).plain)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = Math.max(1, ...counts.values());
  return new Map(Array.from(counts, ([word, count]) => [word, count / most]));
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
const contentWords = (text: string) => wordsOf(text).filter((word) => !COMMON.has(word));

function without(text: string, units: readonly Unit[]): string {
  return units.toReversed().reduce((rest, { start, end }) => {
    const [before, after] = [rest.slice(0, start).trimEnd(), rest.slice(end).trimStart()];
    return before !== '' && after !== '' ? `${before} ${after}` : before + after;
  }, text);
}
