import { expect, it } from '@jest/globals';
import { describeObjects, objectsNamed } from './object-names.js';

const box = { left: 0, top: 0, right: 1, bottom: 1 };
const seen = ['person', 'person', 'couch', 'sports ball', 'bus'].map((name) => ({ name, score: 0.9, box }));
const unsure = { name: 'dog', score: 0.3, box };

it.each([
  ['person', 2],
  ['People', 2],
  ['man', 2],
  ['persons', 2],
  ['sofa', 1],
  ['sofas', 1],
  ['ball', 1],
  ['buses', 1],
  ['dog', 0],
  ['cat', 0],
])('%s finds %d', (word, count) => {
  expect(objectsNamed(word, [...seen, unsure])).toHaveLength(count);
});

it('says what it sees', () => {
  expect(describeObjects([...seen, unsure])).toBe(
    'I see two people, a couch, a sports ball and a bus in it.',
  );
  expect(describeObjects([unsure])).toBe('I see nothing in it that I know by name.');
});
