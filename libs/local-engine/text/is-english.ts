import { isEnglishWord } from './english-words.js';

const english = new Set(
  `the of and to in is that it for with was are this on be as by at from have has had we you they not can will our your
  their or an but if which when what there these those been more than its he she his her who how i my all would should
  could do does did about into so also may must one no any some most such only other then them were because it's don't`.split(
    /\s+/,
  ),
);
const foreign = new Set(
  `der die das und ist ein eine einen für mit von nicht im zur den dem des auf sich auch es werden wird sind
  le la les une est pour dans et du des que qui pas sur au aux ce il elle nous vous
  el los las una es para por del con que en se su como más pero
  il gli di che per una non sono della nel o os um uma não com do da em het een van en de dat niet op te
  och att det som på är jag en ett och i og er på det jest się nie na że`.split(/\s+/),
);

/** With fewer words, a text may have no function words. */
const FEW_WORDS = 8;
/** The least share of a few words that the dictionary must have. */
const MIN_KNOWN_SHARE = 0.8;

/** Whether a text is in English, judged by its function words; a few words by the dictionary. */
export function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const words = text.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? [];
  const count = (set: Set<string>) => words.filter((word) => set.has(word)).length;
  const own = count(english);
  if (latin * 2 <= letters) return false;
  const others = count(foreign);
  if (own > 0 || others > 0 || words.length >= FEW_WORDS) return own >= words.length * 0.08 && own > others;
  const known = words.filter((word) => isEnglishWord(word.replace('’', "'")));
  return known.length > 0 && known.length >= words.length * MIN_KNOWN_SHARE;
}
