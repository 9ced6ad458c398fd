import type { Random } from '../random.js';

export type Time = 'day' | 'sunset' | 'night';

// prettier-ignore
const themeWords = {
  sea: 'sea ocean beach wave waves coast coastal island islands lagoon harbour harbor surf shore seaside lighthouse bay underwater whale dolphin fish',
  lake: 'lake river pond stream waterfall water reflection fjord canal',
  mountains: 'mountain mountains peak peaks alps hill hills cliff cliffs volcano canyon summit valley highlands everest glacier',
  forest: 'forest tree trees wood woods jungle pine pines park bamboo rainforest grove woodland leaf leaves nature',
  city: 'city skyline street streets urban building buildings skyscraper skyscrapers tokyo paris london york downtown metropolis office cyberpunk traffic',
  village: 'house houses cottage cabin village castle home farm temple barn town hut church windmill bakery shop cafe',
  lighthouse: 'lighthouse beacon',
  desert: 'desert dune dunes sand sahara pyramid pyramids cactus oasis mars',
  flowers: 'flower flowers rose roses garden blossom blossoms meadow tulip tulips field fields spring cherry sakura sunflower sunflowers lavender orchid poppy bouquet',
  space: 'space planet planets galaxy star stars cosmos cosmic astronaut rocket universe nebula mars orbit alien saturn comet',
  tech: 'robot robots technology computer ai code circuit data cyber cyberpunk network futuristic laptop phone digital machine server hologram',
  food: 'food cake fruit fruits pizza coffee tea bread sushi breakfast burger apple apples orange oranges cup soup dinner lunch dessert cookie cookies cooking',
  animal: 'animal animals cat cats kitten dog dogs puppy horse horses lion tiger fox wolf bear dragon elephant rabbit deer panda monkey unicorn cow sheep',
  bird: 'bird birds eagle owl parrot seagull seagulls swan swans crane cranes butterfly butterflies dove raven',
  person: 'man woman girl boy person people child children warrior king queen astronaut chef dancer family wizard knight samurai princess couple hiker traveller traveler portrait face',
  boat: 'boat boats ship ships sail sailing sailboat yacht pirate canoe kayak ferry',
};

/** What a picture can be made of. */
export type Theme = keyof typeof themeWords;

// prettier-ignore
const moodWords = {
  night: 'night midnight moonlit moonlight moon dark nocturnal starry stars galaxy space nebula cosmos cosmic universe astronaut planet planets orbit rocket neon aurora',
  sunset: 'sunset sundown dusk evening golden twilight dawn sunrise morning autumn',
  snow: 'snow snowy winter ice icy frozen arctic christmas snowfall blizzard',
  rain: 'rain rainy storm stormy thunder',
  mist: 'mist misty fog foggy haze hazy',
  autumn: 'autumn fall october',
};

const accentWords =
  'red d63a2f crimson b3122d orange f08a24 yellow f6c52e golden e9b23c gold e9b23c green 3fa35b emerald 1f9d6b ' +
  'turquoise 2cb5b0 teal 1b8a8f blue 2f6fd0 indigo 4b4bc0 purple 8446c0 violet 7d4fd1 pink ee7fae white f7f4ec black 20222b';
const accents = [...accentWords.matchAll(/(\S+) (\S+)/g)].map(([, word = '', digits]) => ({ word, digits }));

const freeChoices = ['mountains lake', 'forest mountains', 'flowers mountains', 'sea bird'] as const;

/** What is recognised in a prompt; a picture combines all of it. */
export type Scene = ReturnType<typeof readScene>;

/** Reads the themes, the time, the weather and a colour from a prompt; unknown words leave the choice to the seed. */
export function readScene(subject: string, random: Random) {
  const words = new Set(subject.toLowerCase().match(/\p{L}+/gu) ?? []);
  const has = (list: string) => list.split(' ').some((word) => words.has(word));
  const themes = new Set((Object.keys(themeWords) as Theme[]).filter((theme) => has(themeWords[theme])));
  const accent = accents.find(({ word }) => words.has(word));
  const recognised = themes.size > 0;
  // A boat needs water, and a city is best seen across some.
  if (themes.has('boat') && !themes.has('lake')) themes.add('sea');
  if (themes.has('city') && !themes.has('sea')) themes.add('lake');
  if (themes.has('lighthouse')) themes.add('sea');
  if (!recognised) for (const theme of random.pick(freeChoices).split(' ')) themes.add(theme as Theme);
  const sunset = has(moodWords.sunset) && !words.has('night');
  const time: Time = sunset ? 'sunset' : has(moodWords.night) ? 'night' : 'day';
  return {
    themes,
    time,
    snow: has(moodWords.snow),
    rain: has(moodWords.rain),
    mist: has(moodWords.mist),
    autumn: has(moodWords.autumn),
    /** A colour that the prompt names. */
    accent: accent ? `#${accent.digits}` : null,
    recognised,
  };
}
