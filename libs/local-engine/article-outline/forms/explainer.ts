import { at, example, type SectionPlan } from './section.js';

/** What something is and how it works. `topic` comes quoted. */
export const explainer = (topic: string): SectionPlan[] => [
  at(800, [
    'In one paragraph',
    `Say what ${topic} stands for, so plainly that somebody who never heard of it could pass it on.`,
    ['What is it, in one sentence without a technical word?', 'Why does the reader need to know now?'],
    ['the plain definition'],
  ]),
  at(1200, [
    'Where it comes from',
    'Tell what there was before, who began, and which problem they wanted to solve.',
    ['Which problem led to it?', 'What was it called, or mistaken for, at first?'],
    ['a year and a name, with the source'],
  ]),
  at(800, [
    'How it works',
    'Take it apart into three or four pieces and show how they act on each other. A picture or a comparison helps.',
    [
      'What goes in, what happens, what comes out?',
      'Which comparison from daily life fits, and where does it break down?',
    ],
    ['part 1', 'part 2', 'part 3'],
    1.8,
  ]),
  at(1600, [
    'The words you need',
    'Explain the handful of terms a reader will meet elsewhere, a line for each.',
    ['Which terms come up in every text about it?', 'Which two are mixed up most?'],
    ['a term and its meaning'],
    0.9,
  ]),
  at(800, [
    'Where you meet it',
    'Give two or three examples from the reader’s own world, from the everyday to the surprising.',
    ['Where has the reader met it without noticing?', 'Who works with it every day?'],
    ['an everyday example', 'a surprising example'],
    1.2,
  ]),
  at(1200, example()),
  at(800, [
    'What it is good for, and what not',
    'Weigh use against limits. Be as concrete about the limits as about the use.',
    ['What can be done with it that could not be done before?', 'What does it cost, and who bears that?'],
    ['its greatest use', 'its plainest limit'],
    1.2,
  ]),
  at(800, [
    'What people get wrong',
    'Take up two or three misunderstandings and put each one right in a sentence or two.',
    [`What do people think of first when they hear ${topic}?`, 'Where does the misunderstanding come from?'],
    ['a misunderstanding, and what is true'],
  ]),
  at(1600, [
    'What comes next',
    'Say what is changing, who drives it, and what remains a guess. Mark guesses as guesses.',
    ['What is being worked on now?', 'What would change the picture most?'],
    ['a development, with its source'],
  ]),
  at(800, [
    'Where to go from here',
    'Close with one thing to try, read or watch, for a reader who wants more.',
    ['What is the best first step into the subject?', 'What can now be understood that could not before?'],
    ['a place to go on'],
    0.7,
  ]),
];
