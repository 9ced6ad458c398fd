import words from './stop-words.json' with { type: 'json' };

/** English function words. */
export const functionWords: ReadonlySet<string> = new Set(words.functionWords);
/** Function words of several languages, and words of most requests for a text. */
export const stopWords: ReadonlySet<string> = new Set([...words.functionWords, ...words.others]);
