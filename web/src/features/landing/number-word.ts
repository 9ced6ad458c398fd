const words = 'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve'.split(' ');

/** Writes a number up to twelve as a word, larger numbers as digits. */
export const numberWord = (count: number): string => words[count] ?? String(count);
