import { describe, expect, it } from '@jest/globals';
import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { toStandalone, type WordKnowledge } from './follow-up.js';
import { itemsOf } from './listed-items.js';

const EMPTY =
  /^(?:and|the|a|is|are|how|much|what|why|who|for|it|und|die|wie|ist|et|la|y|e|en|de|does|about|was|der|does|do|did|when|until|in|of)$/;
const terms = (text: string) =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !EMPTY.test(word));
const knowledge: WordKnowledge = {
  countTerms: (text) => terms(text).length,
  isBare: (text) => terms(text).length === 0,
  areTogether: (one, other) => /notice/.test(one) && /landlord/.test(other),
};

/** A conversation of questions and answers by turns. */
const ask = (question: string, ...before: string[]) =>
  toStandalone(
    question,
    before.map((content, at): PdfChatMessage => ({ role: at % 2 ? 'assistant' : 'user', content })),
    knowledge,
  );

describe('a follow-up question', () => {
  it.each([
    ['And the deposit?', 'How much is the rent?', 'How much is the deposit?'],
    ['what about the deposit', 'When must the rent be paid?', 'When must the deposit be paid?'],
    [
      'And for the landlord?',
      'What is the notice period for the tenant?',
      'What is the notice period for the landlord?',
    ],
    [
      'and the landlord?',
      'What is the notice period for the tenant?',
      'What is the notice period for the landlord?',
    ],
    ['and the deposit?', 'What is the notice period for the tenant?', 'What is the deposit for the tenant?'],
    ['And in winter?', 'What are the opening hours?', 'What are the opening hours in winter?'],
    ['und die Kaution?', 'Wie hoch ist die Miete?', 'Wie hoch ist die Kaution?'],
    [
      'Und was ist mit der Kaution?',
      'Was steht im Vertrag über die Miete?',
      'Was steht im Vertrag über der Kaution?',
    ],
    ['et la caution ?', 'Quel est le montant du loyer ?', 'Quel est la caution du loyer ?'],
    ['¿Y la fianza?', '¿Cuánto es el alquiler?', '¿Cuánto es la fianza?'],
    ['e la cauzione?', "Quanto costa l'affitto?", 'Quanto costa la cauzione?'],
    ['E a caução?', 'Quanto é o aluguel?', 'Quanto é a caução?'],
    ['en de borg?', 'Hoe hoog is de huur?', 'Hoe hoog is de borg?'],
  ])('%s after “%s” is “%s”', (question, before, expected) => {
    expect(ask(question, before, 'It is 900 euros.').sentence).toBe(expected);
  });

  it('is searched for its own words, before those of the earlier question', () => {
    const { text, context } = ask('And the deposit?', 'How much is the rent?', '900 euros.');
    expect(text).toBe('the deposit');
    expect(context).not.toMatch(/rent|deposit/);
  });

  it('takes its subject over several turns', () => {
    const { sentence } = ask('And the key?', 'How much is the rent?', '900.', 'And the deposit?', '1,800.');
    expect(sentence).toBe('How much is the key?');
  });

  it('has the words of the earlier question if it has none', () => {
    expect(ask('Why?', 'When does the lease end?', 'In May.')).toEqual({
      text: 'Why?',
      context: 'When does the lease end?',
      sentence: 'When does the lease end? Why?',
    });
    expect(ask('Who signed it?', 'What does the contract say about the addendum?', '…').context).toBe(
      'addendum',
    );
  });

  it('is not every question', () => {
    for (const question of [
      'Is there a garage in the house?',
      'Which oven was bought in Graz?',
      'Does it say that pets are allowed?',
    ])
      expect(ask(question, 'How much is the rent?', '900.').context).toBe('');
  });
});

describe('an item of the last answer', () => {
  const list =
    'The fees are:\n\n1. A **late** fee of 5 euros [p. 2]\n2. A key fee of 20 euros [p. 3]\n3. A cleaning fee';
  const quotes = 'Found:\n\n> “Late fee: 5 euros” [p. iv]\n\n> “Key fee: 20 euros” [p. 3]';

  it.each([
    ['What about the second one?', 'What about A key fee of 20 euros?', list],
    ['Tell me more about the third', 'Tell me more about A cleaning fee', list],
    ['the last one', 'A cleaning fee', list],
    ['explain point 1', 'explain A late fee of 5 euros', list],
    ['And the second one?', 'And Key fee: 20 euros?', quotes],
    ['Und der zweite Punkt?', 'Und A key fee of 20 euros?', list],
    ['et le deuxième ?', 'et A key fee of 20 euros ?', list],
    ['¿y el segundo?', '¿y A key fee of 20 euros?', list],
  ])('%s is “%s”', (question, expected, answer) => {
    expect(ask(question, 'Which fees are there?', answer).sentence).toBe(expected);
  });

  it('is found in the list inside a quotation', () => {
    expect(itemsOf('> “The tenant pays (a) the rent, (b) the water and (c) the heating.” [p. 2]')).toEqual([
      'the rent,',
      'the water and',
      'the heating.',
    ]);
  });

  it('is not a page, a section or an item that is not there', () => {
    for (const question of [
      'What does the second page say?',
      'What is in the third chapter?',
      'the seventh one',
    ])
      expect(ask(question, 'Which fees are there?', list).text).toBe(question);
  });
});
