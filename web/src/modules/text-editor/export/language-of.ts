const scripts = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
] as const;

/**
 * The language of a text in an East Asian script, for a `lang` attribute: fonts draw some characters differently for each
 * language. Undefined for other scripts.
 */
export function languageOf(text: string): 'ja' | 'ko' | 'zh' | undefined {
  return scripts.find(([script]) => script.test(text))?.[1];
}
