import { describe, expect, it } from '@jest/globals';
import { objectNameSchema, pluralOf } from '#libs/contract/object-mask.js';
import cocoClasses from '#libs/models/runner/coco-classes.json' with { type: 'json' };
import { classesOfWord, objectWords } from './classes-of-word.js';

const classes = cocoClasses.filter(Boolean);

describe('the detector’s names', () => {
  it('are accepted as they are suggested, in singular and plural', () => {
    expect(classes).toHaveLength(80);
    for (const name of classes) {
      expect([objectNameSchema.parse(name), [...classesOfWord(name)]]).toEqual([
        name,
        expect.arrayContaining([name]),
      ]);
      expect([...classesOfWord(objectNameSchema.parse(pluralOf(name)))]).toContain(name);
    }
  });
});

describe.each(Object.entries(objectWords))('the words of %s', (_, words) => {
  it('have a word of one part for nearly every class, and none that is another class’s name', () => {
    expect(Object.keys(words).filter((name) => !classes.includes(name))).toEqual([]);
    const hasWord = (name: string) => (words[name] ?? [name]).some((word) => !/\s/u.test(word));
    expect(classes.filter(hasWord).length).toBeGreaterThan(65);
    for (const [name, list] of Object.entries(words))
      for (const word of list) {
        expect([...classesOfWord(word)]).toContain(name);
        if (classes.includes(word.toLowerCase()) && word !== 'bear')
          expect([word, name]).toEqual([name, name]);
      }
  });
});

it.each([
  ['soccerball', 'ball'],
  ['Sports-Ball', 'ball'],
  ['CELLPHONES', 'phone'],
  ['wine-glasses', 'wineglass'],
  ['tvs', 'tv'],
  ['Teddies', 'teddy'],
  ['perros', 'dog'],
  ['avion', 'airplane'],
  ['AVIONES', 'airplane'],
  ['gâteaux', 'cake'],
  ['telephone', 'phone'],
  ['cães', 'dog'],
  ['Stühle', 'chair'],
  ['собаку', 'dog'],
  ['СОБАКИ', 'dog'],
  ['чашек', 'cup', false],
  ['ребенок', 'person'],
  ['الكلب', 'dog'],
  ['سيارة', 'car'],
  ['سياره', 'car'],
  ['كرسى', 'chair'],
  ['کرسیاں', 'chair'],
  ['कुत्ते', 'dog'],
  ['फोन', 'phone'],
  ['কুকুরগুলো', 'dog'],
  ['ﾃﾚﾋﾞ', 'tv'],
  ['犬たち', 'dog'],
  ['貓', 'cat'],
  ['一只狗', 'dog'],
  ['那輛車', 'car'],
  ['kucing-kucing', 'cat'],
  ['KEDİLER', 'cat'],
  ['kisi', 'person'],
  ['змея', 'kite', false],
  ['flag', 'bird', false],
  ['', 'person', false],
])('%s means %s: %s', (word, name, isMeant = true) => {
  expect(classesOfWord(word).has(name)).toBe(isMeant);
});

it('has general words for several classes', () => {
  expect([...classesOfWord('vehicles')]).toEqual(['car', 'bus', 'truck']);
  expect(classesOfWord('animals').size).toBe(10);
});
