import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import type { Skill } from './skills.js';
import { technology } from './technology.js';

/** A longer run of letters is no word, and costs the pattern below much time. */
export const LONGEST_WORD = 40;

/** Fields of technology whose names are common words. */
const fields = new Set(
  `Serverless Containers Firewalls Virtualization Networking DevOps Encryption Cybersecurity Statistics Concurrency Agile Scrum Kanban Robotics
   Blockchain Troubleshooting Microservices`.split(/\s+/),
);

const technologyNames = new Set(
  technology
    .trim()
    .split('\n')
    .map((line) => (line.split(/ [|>] /)[0] ?? '').replace(/^=/, ''))
    .filter(
      (name) => !fields.has(name) && name.split(' ').every((word) => /^[^\p{Ll}]|^on$|^of$/u.test(word)),
    ),
);

/**
 * Whether words name one product, language or standard ("Java", "Core Web Vitals"), not a field ("web development").
 * @param isFirst whether they begin a sentence, where every word has a capital
 * @param skill the known skill that they name
 */
export function isNamedProduct(words: string, isFirst: boolean, skill?: Skill): boolean {
  if (skill && technologyNames.has(skill.name)) return true;
  const parts = words.split(/\s+/);
  if (parts.some((word) => hasProductForm(word))) return true;
  return parts.some(
    (word, index) =>
      /^\p{Lu}/u.test(word) &&
      !(isFirst && index === 0 && isEnglishWord(word.toLowerCase().replace(/\W+$/, ''))),
  );
}

/** Mixed case, an acronym, or letters with digits or signs: "LaunchDarkly", "WCAG", "C++", "Node.js", "S3". */
export const hasProductForm = (word: string) =>
  word.length <= LONGEST_WORD &&
  /\p{Ll}\p{Lu}|^[\p{Lu}\d&/.-]*\p{Lu}[\p{Lu}\d&/.-]*\p{Lu}[\p{Lu}\d]*s?$|\p{L}\d|\p{L}[+#]|\p{L}\.\p{L}|^\.\p{L}/u.test(
    word,
  ) &&
  !/^(?:i\.e|e\.g|a\.m|p\.m)/i.test(word);
