import { listObjects } from '#libs/contract/object-mask.js';
import { distanceFromMiddle } from '#libs/models/runner/boxes.js';
import type { DetectedObject } from '#libs/models/runner/messages.js';
import { classesOfWord } from './object-words/classes-of-word.js';
import type { ObjectBoxes } from './outline-objects.js';

/** The lowest score of an object that can be removed by name. */
const MIN_SCORE = 0.45;

const isSure = ({ score }: DetectedObject) => score >= MIN_SCORE;

export function objectsNamed(word: string, seen: DetectedObject[]): DetectedObject[] {
  const classes = classesOfWord(word);
  return seen.filter((one) => isSure(one) && classes.has(one.name));
}

/** True if the detector can find objects of this name. */
export const isDetectable = (word: string): boolean => classesOfWord(word).size > 0;

/** The objects around a point, in shares of the picture, the smallest first. */
export function objectsAt(seen: DetectedObject[], { x, y }: { x: number; y: number }): DetectedObject[] {
  const area = ({ box: { left, top, right, bottom } }: DetectedObject) => (right - left) * (bottom - top);
  return seen
    .filter(isSure)
    .filter(({ box: { left, top, right, bottom } }) => x >= left && x <= right && y >= top && y <= bottom)
    .sort((a, b) => area(a) - area(b));
}

/** The objects that a request means. */
export interface ObjectChoice {
  /** All objects with the name, from left to right. */
  named: DetectedObject[];
  /** The objects to remove: all with the name, or only the one at the point. */
  chosen: DetectedObject[];
  others: DetectedObject[];
}

/** Objects that are removed with the person who wears or carries them. */
const CARRIED = new Set(['tie', 'backpack', 'handbag', 'umbrella', 'phone']);

/** The boxes of the objects to remove, and of the objects to keep. */
export function boxesOf({ chosen, others }: ObjectChoice): ObjectBoxes {
  const people = chosen.filter(({ name }) => name === 'person');
  const isCarried = ({ name, box }: DetectedObject) =>
    CARRIED.has(name) && nearest(people, middleOf(box)).length > 0;
  return {
    chosen: chosen.map(({ box }) => box),
    others: others.filter((one) => !isCarried(one)).map(({ box }) => box),
  };
}

const middleOf = ({ left, top, right, bottom }: DetectedObject['box']) => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
});

/** The largest distance of a point from the middle of its object's box, in halves of the box's size. */
const REACH = 1.1;

export const chooseObject = (one: DetectedObject, seen: DetectedObject[]): ObjectChoice => ({
  named: [one],
  chosen: [one],
  others: seen.filter((other) => isSure(other) && other !== one),
});

/** Chooses the objects of a name: all, or the one whose middle is nearest to a point in shares of the picture. */
export function chooseObjects(
  word: string,
  seen: DetectedObject[],
  point?: { x: number; y: number },
): ObjectChoice {
  const named = objectsNamed(word, seen).sort((a, b) => a.box.left - b.box.left);
  const chosen = point === undefined ? named : nearest(named, point);
  const others = seen.filter((one) => isSure(one) && !chosen.includes(one));
  return { named, chosen, others };
}

function nearest(objects: DetectedObject[], { x, y }: { x: number; y: number }): DetectedObject[] {
  const distance = ({ box }: DetectedObject) => distanceFromMiddle(box, x, y);
  const inReach = objects.filter((one) => distance(one) <= REACH);
  return inReach.sort((a, b) => distance(a) - distance(b)).slice(0, 1);
}

/** "I see a person and two chairs in it. Name one of these, or paint over what you want to remove." */
export function describeObjects(seen: DetectedObject[], advice: string): string {
  const names = seen.filter(isSure).map(({ name }) => name);
  return names.length === 0
    ? 'I see nothing in it that I know by name. Paint over what you want to remove.'
    : `I see ${listObjects(names)} in it. ${advice}, or paint over what you want to remove.`;
}
