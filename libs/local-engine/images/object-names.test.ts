import { describe, expect, it } from '@jest/globals';
import type { DetectedObject } from '#libs/models/runner/messages.js';
import {
  boxesOf,
  chooseObject,
  chooseObjects,
  describeObjects,
  isDetectable,
  objectsAt,
  objectsNamed,
} from './object-names.js';

const box = { left: 0, top: 0, right: 1, bottom: 1 };
const seen = ['person', 'person', 'couch', 'ball', 'bus'].map((name) => ({ name, score: 0.9, box }));
const unsure = { name: 'dog', score: 0.3, box };

it.each([
  ['person', 2],
  ['People', 2],
  ['man', 2],
  ['persons', 2],
  ['sofa', 1],
  ['sofas', 1],
  ['ball', 1],
  ['sports-ball', 1],
  ['vehicle', 1],
  ['buses', 1],
  ['dog', 0],
  ['cat', 0],
  ['', 0],
])('%s finds %d', (word, count) => {
  expect(objectsNamed(word, [...seen, unsure])).toHaveLength(count);
});

it.each([
  ['cat', true],
  ['Mugs', true],
  ['ball', true],
  ['flag', false],
])('whether %s can be detected: %s', (word, expected) => {
  expect(isDetectable(word)).toBe(expected);
});

it('lists the detected objects', () => {
  expect(describeObjects([...seen, unsure], 'Name one of these')).toBe(
    'I see two people, a couch, a ball and a bus in it. Name one of these, or paint over what you want to remove.',
  );
  expect(describeObjects([unsure], 'Name one of these')).toBe(
    'I see nothing in it that I know by name. Paint over what you want to remove.',
  );
});

describe('several objects of one name', () => {
  const at = (name: string, left: number, right: number, score = 0.9): DetectedObject => ({
    name,
    score,
    box: { left, right, top: 0.2, bottom: 0.8 },
  });
  const right = at('chair', 0.6, 0.9);
  const left = at('chair', 0.1, 0.4);
  const person = at('person', 0.3, 0.7);
  const seen = [right, person, left];

  it('are all chosen, from left to right', () => {
    expect(chooseObjects('chairs', seen)).toEqual({
      named: [left, right],
      chosen: [left, right],
      others: [person],
    });
  });

  it('are reduced to the one at a point', () => {
    const choice = chooseObjects('chair', seen, { x: 0.75, y: 0.5 });
    expect(choice).toEqual({ named: [left, right], chosen: [right], others: [person, left] });
    expect(boxesOf(choice)).toEqual({ chosen: [right.box], others: [person.box, left.box] });
  });

  it('are not chosen by a point outside of them', () => {
    expect(chooseObjects('chair', seen, { x: 0.5, y: 0.05 })).toMatchObject({ chosen: [] });
  });

  it('are chosen by the nearest middle, also inside a larger box', () => {
    const large = { ...at('chair', 0, 1), box: { left: 0, right: 1, top: 0, bottom: 1 } };
    expect(chooseObjects('chair', [large, left], { x: 0.25, y: 0.5 }).chosen).toEqual([left]);
    expect(chooseObjects('chair', [large, left], { x: 0.5, y: 0.5 }).chosen).toEqual([large]);
  });

  it('are found around a point, the smallest first, whatever their names', () => {
    const cup = at('cup', 0.32, 0.36);
    const all = [...seen, cup, at('dog', 0.33, 0.34, 0.3)];
    expect(objectsAt(all, { x: 0.335, y: 0.5 })).toEqual([cup, left, person]);
    expect(objectsAt(all, { x: 0.335, y: 0.1 })).toEqual([]);
    expect(chooseObject(cup, all)).toEqual({ named: [cup], chosen: [cup], others: seen });
  });

  it('include what a person carries', () => {
    const bag = at('handbag', 0.5, 0.6);
    expect(boxesOf(chooseObjects('person', [person, bag, right])).others).toEqual([right.box]);
    expect(boxesOf(chooseObjects('chair', [person, bag, right])).others).toEqual([person.box, bag.box]);
  });
});
