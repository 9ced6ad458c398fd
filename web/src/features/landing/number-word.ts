const words = [
  'Zero',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
];

/** A number at the start of a sentence: "Nine", or "13" where words would be long. */
export const numberWord = (count: number): string => words[count] ?? String(count);
