import { z } from 'zod';
import { AppError } from './errors.js';

const text = (name: string, most: number, description: string) =>
  z
    .string({ error: `${name} must be text.` })
    .trim()
    .max(most, `Keep this within ${most.toLocaleString('en-US')} characters.`)
    .optional()
    .meta({ description });

export const pointsOfView = {
  i: 'I',
  we: 'We',
  you: 'You',
  they: 'They, with no I or you',
} as const;
export type PointOfView = keyof typeof pointsOfView;

/** Input fields for the style of a text. A voice is a saved set of these fields. */
export const manner = {
  tone: text('tone', 100, 'The tone, in a few words, such as “warm and plain”.'),
  audience: text('audience', 200, 'Who reads it.'),
  language: text('language', 60, 'The language to write in; without it, that of the prompt.'),
  pointOfView: z
    .enum(Object.keys(pointsOfView) as [PointOfView, ...PointOfView[]], {
      error: `pointOfView must be one of ${Object.keys(pointsOfView).join(', ')}.`,
    })
    .optional()
    .meta({ description: 'The grammatical person: `i`, `we`, `you` (the reader is addressed) or `they`.' }),
  avoid: text('avoid', 500, 'Words to avoid, separated by commas or lines.'),
  rules: text('rules', 1_000, 'Do’s and don’ts, one a line.'),
  sample: text('sample', 3_000, 'A text whose voice is imitated. Its facts are not used.'),
};

export const points = text('points', 2_000, 'Points to cover, one a line.');

export const SOURCES_MAX_CHARACTERS = 10_000;
export const sources = text(
  'sources',
  SOURCES_MAX_CHARACTERS,
  'Texts that hold the facts. They are cited by paragraph, and facts that they lack are marked.',
);

export const mannerSchema = z.object(manner);
export type Manner = z.infer<typeof mannerSchema>;
export type Brief = Manner & { points?: string; sources?: string };

export const briefFields = [
  ...(Object.keys(manner) as (keyof Manner)[]),
  'points',
  'sources',
] as const satisfies (keyof Brief)[];

export const filledBrief = (input: Brief): Brief =>
  Object.fromEntries(briefFields.flatMap((field) => (input[field] ? [[field, input[field]]] : [])));

const QUOTED = /^\s*["'“”„‘«»]+(.*?)["'“”’«»]+\s*$/u;
const BULLET = /^(?:•\s*|[-*–](?:\s+|$|(?=\p{L})))/u;
const LIST_NUMBER = /^\d{1,2}[.)](?:\s+|$)/;

/** The lines of points or rules, without the marks of a pasted list. "2. Weltkrieg" among other lines keeps its number. */
export function listedLines(text = ''): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const isNumbered = lines.length > 1 && lines.every((line) => LIST_NUMBER.test(line));
  return lines.map((line) => line.replace(isNumbered ? LIST_NUMBER : BULLET, '')).filter(Boolean);
}

export const wordsToAvoid = ({ avoid = '' }: Brief): string[] =>
  Array.from(
    new Set(
      avoid
        .split(/[,;\n]/)
        .map((word) => word.replace(QUOTED, '$1').trim().toLowerCase())
        .filter(Boolean),
    ),
  );

/** Finds which of `words` occur in the text as whole words, ignoring case. `words` must be in lower case. */
export function avoidedWordsIn(content: string, words: readonly string[]): string[] {
  const lower = content.toLowerCase();
  const isLetter = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return words.filter((word) => {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
      if (!isLetter(lower[at - 1]) && !isLetter(lower[at + word.length])) return true;
    }
    return false;
  });
}

/** Splits pasted sources into paragraphs of one line each. A citation refers to a paragraph by its number, from 1. */
export const paragraphsOf = (pasted: string): string[] =>
  pasted
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter(Boolean);

export const MAX_VOICES = 20;
const NAME_MAX_CHARACTERS = 60;
const NAME_MESSAGE = `Give the voice a name of at most ${NAME_MAX_CHARACTERS} characters.`;

/** Request to save a voice: a named set of `manner` fields, which fills in the forms of the writing tools. */
export const setVoiceSchema = z.object({
  name: z.string({ error: NAME_MESSAGE }).trim().min(1, NAME_MESSAGE).max(NAME_MAX_CHARACTERS, NAME_MESSAGE),
  manner: mannerSchema.meta({ description: 'The fields of a brief that the voice fills in.' }),
});
export type SetVoice = z.infer<typeof setVoiceSchema>;

export const voiceSchema = z
  .object({ id: z.uuid(), name: z.string(), manner: mannerSchema })
  .meta({ id: 'Voice' });
export type Voice = z.infer<typeof voiceSchema>;

export const voiceNotFound = () => new AppError('NOT_FOUND', 'There is no such voice.');
