import { listObjects } from '#libs/contract/object-mask.js';
import { distanceFromMiddle } from '#libs/models/runner/boxes.js';
import cocoClasses from '#libs/models/runner/coco-classes.json' with { type: 'json' };
import type { DetectedObject } from '#libs/models/runner/messages.js';
import synonyms from './object-synonyms.json' with { type: 'json' };
import type { ObjectBoxes } from './outline-objects.js';

/** The detector's name by each synonym. */
const names = new Map(
  Object.entries(synonyms).flatMap(([name, words]) => words.map((word) => [word, name] as const)),
);

/** The lowest score of an object that can be removed by name. */
const MIN_SCORE = 0.45;

const isSure = ({ score }: DetectedObject) => score >= MIN_SCORE;

export function objectsNamed(word: string, seen: DetectedObject[]): DetectedObject[] {
  const isMeant = nameMatcher(word);
  return seen.filter((one) => isSure(one) && isMeant(one.name));
}

/** True if the detector can find objects of this name. */
export const isDetectable = (word: string): boolean => cocoClasses.some(nameMatcher(word));

/** Returns a function that recognises the detector's names for a word: also for plurals, synonyms and a name's last word. */
function nameMatcher(word: string): (name: string) => boolean {
  const asked = word.toLowerCase().replaceAll('-', ' ');
  const possible = [asked, ...singulars(asked)].flatMap((one) => [one, names.get(one) ?? one]);
  return (name) => possible.some((one) => name === one || name.endsWith(` ${one}`));
}

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
const CARRIED = new Set(['tie', 'backpack', 'handbag', 'umbrella', 'cell phone']);

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

const singulars = (word: string) =>
  [
    /ies$/.test(word) && word.replace(/ies$/, 'y'),
    /es$/.test(word) && word.slice(0, -2),
    /s$/.test(word) && word.slice(0, -1),
  ].filter((one) => one !== false);

/** "I see a person and two chairs in it." */
export function describeObjects(seen: DetectedObject[]): string {
  const names = seen.filter(isSure).map(({ name }) => name);
  return names.length === 0
    ? 'I see nothing in it that I know by name.'
    : `I see ${listObjects(names)} in it.`;
}
