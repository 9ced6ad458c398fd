import { at, readerQuestions, type SectionPlan } from './section.js';

/** An overview, for a topic that asks for no other form. `topic` comes quoted. */
export const general = (topic: string): SectionPlan[] => [
  at(800, [
    'Why it matters now',
    `Begin with something that happened or that anybody can see, and lead from it to ${topic}.`,
    ['Who should care, and why today?', 'What does the reader already think about it?'],
    ['an event or observation to begin with'],
  ]),
  at(800, [
    'The basics',
    'Give the reader what they need in order to follow the rest, and nothing more.',
    [`What belongs to ${topic}, and what does not?`, 'Which one thing has to be understood first?'],
    ['the basics in one sentence'],
    1.1,
  ]),
  at(1200, [
    'How it came to this',
    'Tell in a few steps how things came to be as they are. Leave out what has no effect today.',
    ['What was different ten years ago?', 'Which decision or event changed the most?'],
    ['a turning point, with its date'],
  ]),
  at(800, [
    'The points that count',
    'Choose the two or three points on which everything else depends, and give each its own paragraph.',
    ['If the reader kept only two points, which?', 'What connects them?'],
    ['point 1', 'point 2', 'point 3'],
    1.8,
  ]),
  at(800, [
    'What it looks like in practice',
    'Show it in one real case: a person, a place, a day. Facts first, then what they mean.',
    ['Who could you ask, and what have they seen?', 'Which detail makes it real?'],
    ['a person or place', 'what happened there'],
    1.3,
  ]),
  at(1200, [
    'Who it affects',
    'Go through those who gain and those who lose. Be fair to both.',
    ['For whom does it make life easier, and for whom harder?', 'Who is seldom asked?'],
    ['a group, and what it means for them'],
  ]),
  at(1600, [
    'What the figures say',
    'Give two or three figures with their sources, and say what they do not show.',
    ['Which figure would surprise the reader?', 'Who counted, when, and what?'],
    ['a figure and its source', 'what it does not show'],
  ]),
  at(800, [
    'What is disputed',
    'Name the main disagreement and put both sides in their strongest form.',
    ['Where do people who know the subject disagree?', 'What is it really about: facts, or values?'],
    ['one side', 'the other side'],
  ]),
  at(1600, readerQuestions()),
  at(800, [
    'What to take away',
    'Close with what follows for the reader: something to do, to watch for, or to think about.',
    ['What can the reader do with this tomorrow?', 'Which sentence should stay?'],
    ['the sentence to remember'],
    0.7,
  ]),
];
