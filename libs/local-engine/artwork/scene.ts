import type { Random } from '../random.js';
import words from './scene-words.json' with { type: 'json' };

export type Time = 'day' | 'sunset' | 'night';

/** A subject that pictures can show. */
export type Theme = keyof typeof words.themes;

/** The properties of a picture that are recognised in a prompt. */
export type Scene = ReturnType<typeof readScene>;

/** Reads themes, time, weather and a colour from a prompt. If it recognises no theme, the seed chooses some. */
export function readScene(subject: string, random: Random) {
  const promptWords = new Set(subject.toLowerCase().match(/\p{L}+/gu) ?? []);
  const has = (list: readonly string[]) => list.some((word) => promptWords.has(word));
  const themes = new Set((Object.keys(words.themes) as Theme[]).filter((theme) => has(words.themes[theme])));
  const colour = Object.entries(words.colours).find(([name]) => promptWords.has(name));
  const recognised = themes.size > 0;
  // A boat and a lighthouse need water. A city is shown across a lake.
  if (themes.has('boat') && !themes.has('lake')) themes.add('sea');
  if (themes.has('city') && !themes.has('sea')) themes.add('lake');
  if (themes.has('lighthouse')) themes.add('sea');
  if (!recognised)
    for (const theme of random.pick(words.unrecognised as [Theme[], ...Theme[][]])) themes.add(theme);
  const sunset = has(words.moods.sunset) && !promptWords.has('night');
  const time: Time = sunset ? 'sunset' : has(words.moods.night) ? 'night' : 'day';
  return {
    themes,
    time,
    snow: has(words.moods.snow),
    rain: has(words.moods.rain),
    mist: has(words.moods.mist),
    autumn: has(words.moods.autumn),
    /** A colour that the prompt names. */
    accent: colour?.[1] ?? null,
    recognised,
  };
}
