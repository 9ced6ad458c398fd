import { isBalanced } from '#libs/local-engine/humanizer/division-edits.js';
import { createEditor } from '#libs/local-engine/humanizer/editor.js';
import { factsOf } from '#libs/local-engine/text/facts/facts.js';
import { plainOf } from '#libs/local-engine/text/facts/plain.js';
import { proseOf } from '#libs/local-engine/text/prose.js';
import { sentencesOf } from '#libs/local-engine/text/sentences.js';
import { functionWords } from '#libs/local-engine/text/stop-words.js';

/** The share of a passage's words that remain. */
const TARGET_SHARE = 0.65;

/** Sentences that are kept or removed together. */
interface Unit {
  /** The index of the paragraph; offsets are within it. */
  paragraph: number;
  start: number;
  end: number;
  words: number;
  score: number;
}

/** A sentence with such a beginning is incomplete without the sentence before it. */
const dependsOnPrevious =
  /^["“(*_]*(?:this|that|these|those|it|its|he|she|they|his|her|their|such|but|and|or|so|yet|however|therefore|thus|hence|then|still|instead|otherwise|also|besides|moreover|furthermore|for (?:example|instance)|in (?:fact|turn|other words)|as a result|because of this|on the other hand|the (?:former|latter|same|second|third|other)|both|neither|another|here|there)\b/i;
/** A colon announces the next sentence or list. */
const ANNOUNCES = /[:：]["”)*_]*$/u;

/**
 * Shortens an English Markdown text: it removes the sentences whose words are least frequent in the text. Stock phrases are
 * removed first. A sentence that depends on the one before it is kept or removed with it. Each paragraph keeps a sentence.
 * @returns null if nothing can be removed
 */
export function shortenText(source: string): string | null {
  const edit = createEditor(['phrase']);
  const paragraphs = proseOf(source).map((prose) => ({
    ...prose,
    text: edit(source.slice(prose.start, prose.end)).text,
  }));
  const weights = wordWeights(paragraphs.map(({ text }) => text).join('\n\n'));
  const units = paragraphs.flatMap(({ text }, paragraph) => unitsOf(text, paragraph, weights));
  const removed = chooseUnits(units);
  let at = 0;
  let shortened = '';
  paragraphs.forEach(({ start, end, text }, paragraph) => {
    const own = units.filter((unit) => unit.paragraph === paragraph && removed.has(unit));
    shortened += source.slice(at, start) + (own.length === 0 ? text : without(text, own));
    at = end;
  });
  shortened += source.slice(at);
  return shortened.length < source.length ? shortened : null;
}

/** The units to remove: the lowest scores first, of paragraphs with other units, until the length is near its target. */
function chooseUnits(units: readonly Unit[]): Set<Unit> {
  let words = units.reduce((sum, unit) => sum + unit.words, 0);
  const target = words * TARGET_SHARE;
  const left = new Map<number, number>();
  for (const { paragraph } of units) left.set(paragraph, (left.get(paragraph) ?? 0) + 1);
  const removed = new Set<Unit>();
  for (const unit of units.toSorted((one, other) => one.score - other.score)) {
    if (words <= target || unit.score === Infinity) break;
    const others = left.get(unit.paragraph) ?? 0;
    if (others < 2 || Math.abs(words - unit.words - target) > words - target) continue;
    removed.add(unit);
    words -= unit.words;
    left.set(unit.paragraph, others - 1);
  }
  return removed;
}

function unitsOf(text: string, paragraph: number, weights: ReadonlyMap<string, number>): Unit[] {
  const groups: { start: number; end: number }[] = [];
  for (const sentence of sentencesOf(text)) {
    const last = groups.at(-1);
    const joins =
      last !== undefined &&
      (dependsOnPrevious.test(text.slice(sentence.start, sentence.end)) ||
        ANNOUNCES.test(text.slice(last.start, last.end)));
    if (joins) last.end = sentence.end;
    else groups.push({ ...sentence });
  }
  // Emphasis or a link that spans sentences is kept whole.
  const isWhole = groups.every(({ start, end }) => isBalanced(text.slice(start, end)));
  const ranges = isWhole ? groups : [{ start: 0, end: text.length }];
  return ranges.map(({ start, end }, index) => {
    const words = text.slice(start, end);
    // The announcement of a list is kept.
    const bonus = ANNOUNCES.test(words) ? Infinity : index === 0 ? OPENING_BONUS : 0;
    return {
      paragraph,
      start,
      end,
      words: wordsOf(words).length,
      score: scoreOf(words, weights) + bonus,
    };
  });
}

/** The first sentence of a paragraph names its subject. */
const OPENING_BONUS = 0.35;
const FACT_BONUS = 0.12;
const MOST_FACTS_COUNTED = 3;

/** The relevance of a sentence for the whole text, from 0 to about 2. */
function scoreOf(sentence: string, weights: ReadonlyMap<string, number>): number {
  const words = contentWords(sentence);
  if (words.length === 0) return 0;
  const shared = words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0) / words.length;
  const facts = factsOf(sentence).filter(({ weak }) => !weak).length;
  return shared + Math.min(facts, MOST_FACTS_COUNTED) * FACT_BONUS;
}

/** The frequency of each word, relative to the most frequent one. */
function wordWeights(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of contentWords(plainOf(text).plain)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = Math.max(1, ...counts.values());
  return new Map(Array.from(counts, ([word, count]) => [word, count / most]));
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
const contentWords = (text: string) => wordsOf(text).filter((word) => !functionWords.has(word));

function without(text: string, units: readonly Unit[]): string {
  return units.toReversed().reduce((rest, { start, end }) => {
    const [before, after] = [rest.slice(0, start).trimEnd(), rest.slice(end).trimStart()];
    return before !== '' && after !== '' ? `${before} ${after}` : before + after;
  }, text);
}
