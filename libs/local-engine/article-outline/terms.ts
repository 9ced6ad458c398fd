import { plainText, shorten } from '#libs/local-engine/text/markdown-text.js';

const stopWords = new Set(
  `a about above after again against all also am an and any are as at be because been before being best better between
  both but by can could did do does doing don't down during each even every few for from further get give good got great
  had has have having he her here hers him his how i if in into is it its itself just know less let like made make makes
  making many may me might more most much must my need never no nor not now of off on once one only or other our ours out
  over own people please really same she should so some such take than that the their them then there these they thing
  things this those through to too top under until up us use using very vs versus want was way ways we well were what when
  where which while who whom why will with without would write you your yours article blog post words
  guide tutorial introduction explained beginner beginners beginner's tips compare comparing choose difference differences pros cons top
  i'm it's that's there's he's she's we're they're you're i've isn't aren't doesn't didn't can't won't
  der die das den dem des ein eine einen einem einer und oder aber ist sind war wie was warum wer wo mit für von vom zum
  zur im am auf aus bei nach über unter nicht auch man ich du er sie es wir ihr sich zu in an als
  le la les un une des du de et ou est sont pour par avec sur dans que qui quoi comment pourquoi ce cette il elle nous
  el los las una unos unas y o es son por para con sobre en qué cómo cuál se lo al del
  的 了 和 是 在 我 有 与 及 或 呢 吗 什么 如何 怎么 为什么 の は を が に で と も です ます する とは なぜ
  il lo gli uno di e è sono per con su che come perché um uma os as da do dos das em no na como`.split(/\s+/),
);

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const MAX_TERMS = 8;
const TERM_LETTERS = 40;

/**
 * The key words and phrases of a text in any script: runs of words between stop words, ordered by frequency and then
 * by position.
 */
export function keyTerms(text: string): string[] {
  const found = new Map<string, { term: string; count: number; at: number }>();
  for (const [at, phrase] of phrasesOf(plainText(text)).entries()) {
    const key = phrase.toLowerCase();
    const known = found.get(key);
    if (known) known.count += 1;
    else found.set(key, { term: phrase, count: 1, at });
  }
  return [...found.values()]
    .sort((a, b) => b.count - a.count || a.at - b.at)
    .slice(0, MAX_TERMS)
    .map(({ term }) => shorten(term, TERM_LETTERS));
}

function phrasesOf(text: string): string[] {
  const phrases: string[] = [];
  let run: string[] = [];
  const finish = () => {
    // A longer run is a clause, so its words are separate terms.
    if (run.length > 0) phrases.push(...(run.length <= 3 ? [run.join(' ')] : run));
    run = [];
  };
  for (const { segment, isWordLike } of joinedWords(text)) {
    if (!isWordLike) {
      if (segment !== ' ') finish();
    } else if (isTelling(segment)) {
      run.push(segment);
    } else {
      finish();
    }
  }
  finish();
  return phrases;
}

/** Words, with "C++", "Node.js" and "state-of-the-art" as one each. */
function* joinedWords(text: string): Generator<{ segment: string; isWordLike: boolean }> {
  for (const part of text.split(/(\s+)/u)) {
    const word = part.replace(/^[^\p{L}\p{N}#@.]+|[^\p{L}\p{N}#+]+$/gu, '');
    if (/^\s*$/u.test(part)) {
      yield { segment: part && !part.includes('\n') ? ' ' : '\n', isWordLike: false };
    } else if (/^[\p{Script=Latin}\p{N}\p{M}#@.+&'’/_-]+$/u.test(word)) {
      if (!part.startsWith(word)) yield { segment: part.charAt(0), isWordLike: false };
      yield { segment: word, isWordLike: /[\p{L}\p{N}]/u.test(word) };
      if (!part.endsWith(word)) yield { segment: part.at(-1) ?? '', isWordLike: false };
    } else {
      for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
        part,
      )) {
        yield { segment, isWordLike: Boolean(isWordLike) };
        // In scripts without spaces, a run of words is no term.
        if (unspaced.test(segment)) yield { segment: '', isWordLike: false };
      }
    }
  }
}

function isTelling(word: string): boolean {
  // "US" and "IT" are not "us" and "it".
  const isAcronym = /^[A-Z]{2,}$/.test(word);
  if (!isAcronym && stopWords.has(word.toLowerCase().replaceAll('’', "'"))) return false;
  // One character is a word in Chinese, but not in an alphabet; a lone number is no term.
  return /\p{Script=Han}/u.test(word) || (word.length > 1 && /\p{L}/u.test(word));
}

export function weigh(sentence: string, terms: string[]): number {
  const lower = sentence.toLowerCase();
  return terms.reduce(
    (sum, term, rank) => sum + (lower.includes(term.toLowerCase()) ? terms.length - rank : 0),
    0,
  );
}
