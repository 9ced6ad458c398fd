import { expect, it } from '@jest/globals';
import { languageOf } from './language-of.js';

it.each([
  ['北京的图书馆', 'zh'],
  ['図書館は静かです', 'ja'],
  ['도서관 圖書館', 'ko'],
  ['The word 図書館 (としょかん) means library.', 'ja'],
  ['A library 🍅', undefined],
])('detects the language of “%s”', (text, language) => {
  expect(languageOf(text)).toBe(language);
});
