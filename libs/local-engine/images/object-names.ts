import { listObjects } from '#libs/contract/object-mask.js';
import { cocoClasses } from '#libs/models/runner/coco-classes.js';
import type { DetectedObject } from '#libs/models/runner/messages.js';
import type { ObjectBoxes } from './outline-objects.js';

/** Words that users say, and what the detector calls the thing. */
const SYNONYMS: Record<string, string> = Object.fromEntries(
  Object.entries({
    person: 'man woman people boy girl child kid human guy lady men women children pedestrian tourist',
    bicycle: 'bike cycle',
    motorcycle: 'motorbike',
    airplane: 'plane aeroplane aircraft jet',
    car: 'auto automobile',
    truck: 'lorry',
    boat: 'ship',
    couch: 'sofa settee',
    tv: 'television monitor screen',
    'cell phone': 'phone smartphone mobile cellphone',
    dog: 'puppy',
    cat: 'kitten',
    horse: 'pony',
    cow: 'bull cattle',
    bird: 'seagull gull pigeon eagle duck',
    'sports ball': 'ball football soccerball',
    'potted plant': 'plant',
    'dining table': 'table desk',
    refrigerator: 'fridge',
    cup: 'mug',
    donut: 'doughnut',
    laptop: 'notebook computer',
    handbag: 'bag purse',
    backpack: 'rucksack',
    'teddy bear': 'teddy',
    'hair drier': 'hairdryer',
    'traffic light': 'trafficlight',
    'wine glass': 'wineglass glass',
    'hot dog': 'hotdog',
  }).flatMap(([name, words]) => words.split(' ').map((word) => [word, name])),
);

/** Least score of an object that is removed because its name was given. */
const MIN_SCORE = 0.45;

const isSure = ({ score }: DetectedObject) => score >= MIN_SCORE;

/** The objects of a name. */
export function objectsNamed(word: string, seen: DetectedObject[]): DetectedObject[] {
  const isMeant = meaningOf(word);
  return seen.filter((one) => isSure(one) && isMeant(one.name));
}

/** Whether the detector knows things of a name. */
export const isKnownName = (word: string): boolean => cocoClasses.some(meaningOf(word));

/** Tells the detector's names that a word means; a plural, a synonym and the last word of a name of several are understood. */
function meaningOf(word: string): (name: string) => boolean {
  const asked = word.toLowerCase().replaceAll('-', ' ');
  const names = [asked, ...singulars(asked)].flatMap((one) => [one, SYNONYMS[one] ?? one]);
  return (name) => names.some((one) => name === one || name.endsWith(` ${one}`));
}

/** The objects around a point, in shares of the picture, the smallest first. */
export function objectsAt(seen: DetectedObject[], { x, y }: { x: number; y: number }): DetectedObject[] {
  const area = ({ box: { left, top, right, bottom } }: DetectedObject) => (right - left) * (bottom - top);
  return seen
    .filter(isSure)
    .filter(({ box: { left, top, right, bottom } }) => x >= left && x <= right && y >= top && y <= bottom)
    .sort((a, b) => area(a) - area(b));
}

/** Which of the objects in a picture are meant. */
export interface ObjectChoice {
  /** Those of the name, from left to right. */
  named: DetectedObject[];
  /** Those of them that are meant: all, or the one at the point. */
  chosen: DetectedObject[];
  /** Everything else in the picture. */
  others: DetectedObject[];
}

/** What people wear or carry goes with them. */
const CARRIED = new Set(['tie', 'backpack', 'handbag', 'umbrella', 'cell phone']);

/** The boxes of what is meant, and of what stays. */
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

/** A point this far from the middle of a box, in halves of its size, still means its object. */
const REACH = 1.1;

/** One object, whatever its name. */
export const chooseObject = (one: DetectedObject, seen: DetectedObject[]): ObjectChoice => ({
  named: [one],
  chosen: [one],
  others: seen.filter((other) => isSure(other) && other !== one),
});

/** Picks the objects of a name: all, or the one whose middle is nearest to a point in it, in shares of the picture. */
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
  const distance = ({ box: { left, top, right, bottom } }: DetectedObject) =>
    Math.max(
      Math.abs(2 * x - left - right) / Math.max(right - left, 1e-6),
      Math.abs(2 * y - top - bottom) / Math.max(bottom - top, 1e-6),
    );
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
