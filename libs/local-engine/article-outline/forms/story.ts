import { at, type SectionPlan } from './section.js';

/** A story, true or not. `topic` comes quoted. */
export const story = (topic: string): SectionPlan[] => [
  at(800, [
    'The opening scene',
    `Start in the middle of a moment that holds ${topic} in small: a place, a person, something about to change.`,
    [
      'Where are we, and what can be seen and heard?',
      'What does the reader want to know after the first paragraph?',
    ],
    ['place and time', 'the first thing that happens'],
  ]),
  at(800, [
    'Who it is about',
    'Bring in the people by what they do and say. One telling detail does more than a description.',
    ['What does the main figure want, and why?', 'What do they stand to lose?'],
    ['a name', 'a telling detail'],
  ]),
  at(800, [
    'How it began',
    'Go back to the beginning and tell, in order, what set things in motion.',
    ['What was the first step, and who took it?', 'Could it have gone otherwise?'],
    ['what set it in motion', 'a date, with its source if it is true'],
    1.3,
  ]),
  at(1200, [
    'The world around it',
    'Show the time and the place: what was taken for granted, what was new, what was in the air.',
    ['What has a reader of today to know of it?', 'What would have been different elsewhere?'],
    ['a detail of the time or the place'],
  ]),
  at(1200, [
    'What stood in the way',
    'Let the trouble grow: one obstacle, the attempt to get past it, and its price.',
    ['What was tried and failed?', 'Who or what stood against it?'],
    ['the obstacle', 'what was tried'],
  ]),
  at(800, [
    'The turning point',
    'Slow down. Tell the decisive moment closely, with what was said and done.',
    ['After which moment could nothing go back?', 'Who decided, and what did they know?'],
    ['the decisive moment'],
    1.5,
  ]),
  at(1600, [
    'In their own words',
    'Let those who were there speak: letters, interviews, memories. Quote only what was really said.',
    ['Whose voice is missing so far?', 'Who remembers it differently?'],
    ['a quotation, and where it stands'],
  ]),
  at(800, [
    'How it turned out',
    'Tell what came of it for each of the people, without tidying it up.',
    ['Who got what they wanted?', 'What remained unsolved?'],
    ['the outcome'],
  ]),
  at(1600, [
    'What is told differently',
    'Say where accounts part ways, or what has been added over time, and which one you follow.',
    ['Which version is told most?', 'What speaks for yours?'],
    ['the other version'],
    0.8,
  ]),
  at(800, [
    'What stays',
    'Close with an image, not with a moral: something that is still there today.',
    ['What can be seen of it now?', 'Which image carries the whole story?'],
    ['the closing image'],
    0.7,
  ]),
];
