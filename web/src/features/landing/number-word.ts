const words = 'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve'.split(' ');

/** A number as a word, up to twelve. */
export const numberWord = (count: number): string => words[count] ?? String(count);
