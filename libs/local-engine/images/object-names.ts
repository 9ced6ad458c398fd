import type { DetectedObject } from '#libs/models/runner/messages.js';

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

/** The objects of a name; a plural, a synonym and the last word of a name of several are understood. */
export function objectsNamed(word: string, seen: DetectedObject[]): DetectedObject[] {
  const asked = word.toLowerCase();
  const names = [asked, ...singulars(asked)].flatMap((one) => [one, SYNONYMS[one] ?? one]);
  return seen.filter(
    ({ name, score }) => score >= MIN_SCORE && names.some((one) => name === one || name.endsWith(` ${one}`)),
  );
}

const singulars = (word: string) =>
  [
    /ies$/.test(word) && word.replace(/ies$/, 'y'),
    /es$/.test(word) && word.slice(0, -2),
    /s$/.test(word) && word.slice(0, -1),
  ].filter((one) => one !== false);

const NUMBERS = ['no', 'a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** "I see a person and two chairs in it." */
export function describeObjects(seen: DetectedObject[]): string {
  const counts = new Map<string, number>();
  for (const { name, score } of seen) if (score >= MIN_SCORE) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts].map(([name, count]) =>
    count === 1
      ? `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
      : `${NUMBERS[count] ?? count} ${plural(name)}`,
  );
  if (parts.length === 0) return 'I see nothing in it that I know by name.';
  const last = parts.pop() as string;
  return `I see ${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last} in it.`;
}

function plural(name: string): string {
  if (name === 'person') return 'people';
  if (name === 'sheep' || name === 'skis' || name === 'scissors') return name;
  if (name === 'mouse') return 'mice';
  if (name === 'knife') return 'knives';
  return /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
