import words from './words.json' with { type: 'json' };

const minorWords = new Set(words.minorWords);
/** Maps the lower-case form of acronyms and brands to their usual case. */
const mixedCase = new Map(words.mixedCaseWords.map((word) => [word.toLowerCase(), word]));

/** Converts a keyword to English title case. Words with capitals stay unchanged. */
export function titleCase(keyword: string): string {
  const words = keyword.split(' ');
  return words.map((word, index) => caseOf(word, index === 0 || index === words.length - 1)).join(' ');
}

function caseOf(word: string, atEdge: boolean): string {
  if (word !== word.toLowerCase()) return word;
  const acronym = mixedCase.get(word.replace(/[?!]$/, ''));
  if (acronym) return acronym + word.slice(acronym.length);
  if (minorWords.has(word) && !atEdge) return word;
  return word
    .split('-')
    .map((part, index) =>
      index > 0 && minorWords.has(part) ? part : part.charAt(0).toUpperCase() + part.slice(1),
    )
    .join('-');
}

/** Prepends "a" or "an", by the keyword's pronunciation. */
export function withArticle(keyword: string): string {
  const first = keyword.split(' ')[0] ?? keyword;
  const spelled = /^[A-Z0-9]{2,}s?$/.test(first) && /^[AEFHILMNORSX8]/.test(first);
  const vowel = /^[aeiou]/i.test(first) && !/^(?:uni(?!n)|use|usu|eu|one\b|once)/i.test(first);
  const mute = /^(?:hour|honest|honou?r|heir)/i.test(first);
  const acronym = /^[A-Z0-9]{2,}s?$/.test(first) && !/[AEIOU].*[^AEIOU].*[AEIOU]/.test(first);
  return `${(acronym ? spelled : vowel || mute) ? 'an' : 'a'} ${keyword}`;
}
