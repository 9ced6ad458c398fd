import cocoClasses from '#libs/models/runner/coco-classes.json' with { type: 'json' };
import ar from './ar.json' with { type: 'json' };
import bn from './bn.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import id from './id.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import ur from './ur.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

/** By language: the words for each class of the detector, besides the class's own English name. */
export const objectWords: Record<string, Record<string, string[]>> = {
  ...{ ar, bn, de, en, es, fr, hi, id, ja, pt, ru, tr, ur, zh },
};

/** Letters that are typed for each other, such as the Arabic and the Urdu form of one letter. */
const LETTER_FORMS: readonly (readonly [RegExp, string])[] = [
  [/ё/g, 'е'],
  [/ı/g, 'i'],
  [/ß/g, 'ss'],
  [/[يىئ]/g, 'ی'],
  [/ك/g, 'ک'],
  [/[ةہۃھ]/g, 'ه'],
];
/** Accents except the diaeresis, Arabic vowel signs, the dots below Hindi and Bengali letters, and joiners. */
const MARKS = /\u0640|[\u200b-\u200d]|[\u0300-\u0307\u0309-\u036f\u064b-\u0655\u093c\u09bc]/gu;
/** Endings of Russian cases and plurals. */
const RUSSIAN_ENDING = /(?<=^[\u0400-\u04ff]{3,}?)[аеиоуыэюяь]+$/u;

/** Reduces a word to the form in which words are compared: without case, accents, spaces and hyphens. */
function comparable(word: string): string {
  const plain = word.normalize('NFKC').toLowerCase().normalize('NFD').replace(MARKS, '').normalize('NFC');
  const joined = plain.replace(/[\s'’._-]/gu, '');
  return LETTER_FORMS.reduce((text, [from, to]) => text.replace(from, to), joined).replace(
    RUSSIAN_ENDING,
    '',
  );
}

/** Plurals, the Arabic article and Chinese measure words. The tables have irregular plurals. */
const INFLECTIONS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z])ies$/u, 'y'],
  [/(?<=[a-z]{2})[sx]$/u, ''],
  [/(?<=[a-z]{2})es$/u, ''],
  [/(?<=[a-zöü]{2})l[ae]r$/u, ''],
  [/^(.{3,})\1$/u, '$1'],
  [/(?<=.)(们|們|たち|達)$/u, ''],
  [/(?<=.{2})(গুলো|গুলি|গুলা|টি|টা)$/u, ''],
  [/^ال(?=..)/u, ''],
  [/^[一这那這](?:[只隻个個辆輛把台张張条條匹头頭瓶本])/u, ''],
];

const classesByWord = new Map<string, Set<string>>();
for (const table of [
  Object.fromEntries(cocoClasses.filter(Boolean).map((name) => [name, [name]])),
  ...Object.values(objectWords),
])
  for (const [name, words] of Object.entries(table))
    for (const word of words.map(comparable))
      classesByWord.set(word, (classesByWord.get(word) ?? new Set()).add(name));

/** The detector's classes that a word means, singular or plural, in one of the languages of {@link objectWords}. */
export function classesOfWord(word: string): ReadonlySet<string> {
  const asked = comparable(word);
  const forms = [asked, ...INFLECTIONS.map(([ending, to]) => asked.replace(ending, to))];
  const known = forms.find((form) => classesByWord.has(form));
  return classesByWord.get(known ?? '') ?? new Set();
}
