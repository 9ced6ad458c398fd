/** Divides two lines of one paragraph in the text of a layout. Words that are divided between them are joined later. */
export const WRAP = '\u2028';
