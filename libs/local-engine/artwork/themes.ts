import type { Random } from './random.js';
import type { Hex } from './colour.js';

/** What a picture can be made of. */
export type Theme =
  | 'sea'
  | 'lake'
  | 'mountains'
  | 'forest'
  | 'city'
  | 'village'
  | 'lighthouse'
  | 'desert'
  | 'flowers'
  | 'space'
  | 'tech'
  | 'food'
  | 'animal'
  | 'bird'
  | 'person'
  | 'boat';

export type Time = 'day' | 'sunset' | 'night';

/** All that was recognised in a prompt; the picture combines it. */
export interface Scene {
  themes: ReadonlySet<Theme>;
  time: Time;
  snow: boolean;
  rain: boolean;
  mist: boolean;
  autumn: boolean;
  /** A colour that the words name. */
  accent: Hex | null;
  /** Whether any word was recognised; else the themes are a free choice. */
  recognised: boolean;
}

const themeWords: Record<Theme, string> = {
  sea: 'sea ocean beach wave waves coast coastal island islands lagoon harbour harbor surf shore seaside lighthouse bay underwater whale dolphin fish',
  lake: 'lake river pond stream waterfall water reflection fjord canal',
  mountains:
    'mountain mountains peak peaks alps hill hills cliff cliffs volcano canyon summit valley highlands everest glacier',
  forest:
    'forest tree trees wood woods jungle pine pines park bamboo rainforest grove woodland leaf leaves nature',
  city: 'city skyline street streets urban building buildings skyscraper skyscrapers tokyo paris london york downtown metropolis office cyberpunk traffic',
  village:
    'house houses cottage cabin village castle home farm temple barn town hut church windmill bakery shop cafe',
  lighthouse: 'lighthouse beacon',
  desert: 'desert dune dunes sand sahara pyramid pyramids cactus oasis mars',
  flowers:
    'flower flowers rose roses garden blossom blossoms meadow tulip tulips field fields spring cherry sakura sunflower sunflowers lavender orchid poppy bouquet',
  space:
    'space planet planets galaxy star stars cosmos cosmic astronaut rocket universe nebula mars orbit alien saturn comet',
  tech: 'robot robots technology computer ai code circuit data cyber cyberpunk network futuristic laptop phone digital machine server hologram',
  food: 'food cake fruit fruits pizza coffee tea bread sushi breakfast burger apple apples orange oranges cup soup dinner lunch dessert cookie cookies cooking',
  animal:
    'animal animals cat cats kitten dog dogs puppy horse horses lion tiger fox wolf bear dragon elephant rabbit deer panda monkey unicorn cow sheep',
  bird: 'bird birds eagle owl parrot seagull seagulls swan swans crane cranes butterfly butterflies dove raven',
  person:
    'man woman girl boy person people child children warrior king queen astronaut chef dancer family wizard knight samurai princess couple hiker traveller traveler portrait face',
  boat: 'boat boats ship ships sail sailing sailboat yacht pirate canoe kayak ferry',
};

const moodWords = {
  night:
    'night midnight moonlit moonlight moon dark nocturnal starry stars galaxy space nebula cosmos universe neon aurora',
  sunset: 'sunset sundown dusk evening golden twilight dawn sunrise morning autumn',
  snow: 'snow snowy winter ice icy frozen arctic christmas snowfall blizzard',
  rain: 'rain rainy storm stormy thunder',
  mist: 'mist misty fog foggy haze hazy',
  autumn: 'autumn fall october',
};

const accents: Record<string, Hex> = {
  red: '#d63a2f',
  crimson: '#b3122d',
  orange: '#f08a24',
  yellow: '#f6c52e',
  golden: '#e9b23c',
  gold: '#e9b23c',
  green: '#3fa35b',
  emerald: '#1f9d6b',
  turquoise: '#2cb5b0',
  teal: '#1b8a8f',
  blue: '#2f6fd0',
  indigo: '#4b4bc0',
  purple: '#8446c0',
  violet: '#7d4fd1',
  pink: '#ee7fae',
  white: '#f7f4ec',
  black: '#20222b',
};

/** Everything that the words of a prompt bring to a picture. */
export function readScene(subject: string, random: Random): Scene {
  const words = new Set(subject.toLowerCase().match(/\p{L}+/gu) ?? []);
  const has = (list: string) => list.split(' ').some((word) => words.has(word));
  const themes = new Set((Object.keys(themeWords) as Theme[]).filter((theme) => has(themeWords[theme])));
  const accent = Object.keys(accents).find((name) => words.has(name));
  const recognised = themes.size > 0;
  // A boat needs water, and a city is best seen across some.
  if (themes.has('boat') && !themes.has('lake')) themes.add('sea');
  if (themes.has('city') && !themes.has('sea')) themes.add('lake');
  if (themes.has('lighthouse')) themes.add('sea');
  if (!recognised) for (const theme of random.pick(freeChoices)) themes.add(theme);
  const sunset = has(moodWords.sunset);
  return {
    themes,
    time: sunset && !words.has('night') ? 'sunset' : has(moodWords.night) ? 'night' : 'day',
    snow: has(moodWords.snow),
    rain: has(moodWords.rain),
    mist: has(moodWords.mist),
    autumn: has(moodWords.autumn),
    accent: accent ? (accents[accent] ?? null) : null,
    recognised,
  };
}

const freeChoices: [Theme[], ...Theme[][]] = [
  ['mountains', 'lake'],
  ['forest', 'mountains'],
  ['sea', 'bird'],
  ['flowers', 'mountains'],
  ['desert', 'bird'],
];
