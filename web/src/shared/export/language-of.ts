const scripts = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
] as const;

/**
 * The language of a text that has East Asian signs, as far as its scripts tell. Fonts draw the same sign in another way
 * for each of them.
 */
export function languageOf(text: string): 'ja' | 'ko' | 'zh' | undefined {
  return scripts.find(([script]) => script.test(text))?.[1];
}
