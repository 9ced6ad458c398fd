/**
 * Characters that affect how a terminal shows a text: control characters (C0 and C1), Unicode line separators, and marks
 * that change the text direction.
 */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

export const escapeControls = (text: string): string =>
  text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
