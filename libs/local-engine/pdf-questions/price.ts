import data from './price.json' with { type: 'json' };

const word = (list: readonly string[]) => `(?<!\\p{L})(?:${list.join('|')})(?!\\p{L})`;
const ASKED = new RegExp(word(data.asked), 'iu');
/** Also a number after the word itself: "Price: 3.20". */
const MONEY = new RegExp(`\\p{Sc}|%|${word(data.money)}|${word(data.asked)}[^.!?]{0,20}\\d`, 'iu');

/** True if a question asks for a price: "What is the price of a spare jug?" */
export const asksForPrice = (question: string): boolean => ASKED.test(question);

/** True if a text names a sum of money or a share, or says that something is free. */
export const namesPrice = (text: string): boolean => MONEY.test(text);
