import { expect, it } from '@jest/globals';
import { listObjects, objectNameSchema, ONE_OBJECT_ONLY } from './object-mask.js';

it.each([
  ['ball', 'ball'],
  [' The dog. ', 'dog'],
  ['an apple', 'apple'],
  ['“chair”', 'chair'],
  ['DOGS!', 'DOGS'],
  ['el perro', 'perro'],
  ['l’ours', 'ours'],
  ['der Hund', 'Hund'],
  ['uma cadeira', 'cadeira'],
  ['एक कुत्ता।', 'कुत्ता'],
  ['الكلب؟', 'الكلب'],
  ['狗。', '狗'],
  ['the', 'the'],
  ['Laptop', 'Laptop'],
  ['.', ''],
])('%s is the name %s', (text, name) => {
  expect(objectNameSchema.parse(text)).toBe(name);
});

it.each([
  'red car',
  'the red car',
  'cat and dog',
  'cat, dog',
  'cat,dog',
  'cat/dog',
  'cat & dog',
  '猫、狗',
  'قطة،كلب',
  'a cat and a dog.',
])('%s is refused', (text) => {
  expect(objectNameSchema.safeParse(text).error?.issues[0]?.message).toBe(ONE_OBJECT_ONLY);
});

it('counts the objects with their plurals', () => {
  expect(listObjects(['teddy', 'teddy', 'person', 'person', 'bus', 'bus', 'toy', 'toy'])).toBe(
    'two teddies, two people, two buses and two toys',
  );
});
