import { syllable } from 'syllable';
import { sentencesOf } from './sentences.js';

/**
 * The Flesch reading ease of an English text: about 0 (very hard) to 100 (very easy), sometimes beyond, rounded to one
 * decimal. Null for a text without words.
 */
export function readingEase(text: string): number | null {
  const words = text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu) ?? [];
  const sentences = sentencesOf(text).length;
  if (words.length === 0 || sentences === 0) return null;
  return Math.round(fleschEase(words, sentences) * 10) / 10;
}

/** The formula for words in a number of sentences; neither may be 0. */
export function fleschEase(words: readonly string[], sentences: number): number {
  // The library counts no syllable in "12".
  const syllables = words.reduce((sum, word) => sum + Math.max(1, syllable(word)), 0);
  return 206.835 - (1.015 * words.length) / sentences - (84.6 * syllables) / words.length;
}
