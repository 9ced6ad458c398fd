import { at, readerQuestions, type SectionPlan } from './section.js';

/** A how-to guide. `task` reads well after "to", "can" and "try to". */
export const howTo = (task: string): SectionPlan[] => [
  at(800, [
    'What you will be able to do',
    `Open with the result: what the reader can do at the end, how hard it is, and how long it takes to ${task}.`,
    [
      `Who wants to ${task}, and what has kept them from it so far?`,
      'What will be different for them afterwards?',
    ],
    ['the result in one sentence', 'the time it takes, from start to finish'],
  ]),
  at(800, [
    'What you need before you start',
    'List what must be at hand: tools, materials, access, knowledge. Mark what is optional and what can stand in for it.',
    [`What does somebody need before they can ${task}?`, 'What can they borrow, replace or leave out?'],
    ['the things needed', 'what they cost together'],
  ]),
  at(800, [
    'Step by step',
    'Number the steps. Begin each with a verb, put one action into each, and say how the reader sees that it worked.',
    [
      `Which five to eight actions does it take to ${task}?`,
      'After which of them is it worth stopping to check?',
    ],
    ['step 1', 'step 2', 'step 3, and so on'],
    2.6,
  ]),
  at(1200, [
    'One example from start to finish',
    'Follow one real person or case through the steps, with the choices they made and what came of them.',
    [
      'Who has done this, and may you tell how it went?',
      'What did they do differently from the plain steps, and why?',
    ],
    ['who it is about', 'how it ended'],
  ]),
  at(800, [
    'What goes wrong, and how to put it right',
    'Name the mistakes made most often. For each: how to notice it, what causes it, how to recover.',
    [`What do most people get wrong when they first try to ${task}?`, 'Which mistake cannot be undone?'],
    ['mistake 1 and its cure', 'mistake 2 and its cure'],
  ]),
  at(1600, [
    'Another way to do it',
    'Describe an alternative for a reader with less time, less money or other tools, and what it gives up.',
    ['For whom are the steps above the wrong ones?', 'What is the smallest version that still works?'],
    ['the alternative', 'what it gives up'],
  ]),
  at(1200, [
    'What those with practice do',
    'Give three or four habits that save time or lift the result once the basics work.',
    [
      `What does somebody do who has managed to ${task} many times?`,
      'Which habit made the biggest difference?',
    ],
    ['a habit, and whose it is'],
  ]),
  at(800, [
    'How to tell that it worked',
    'Give signs that the reader can see, count or test, and say what to do if they are missing.',
    ['What is the first sign of success?', 'How long should the reader wait before judging?'],
    ['a sign to look for', 'a number to compare with'],
  ]),
  at(1600, readerQuestions()),
  at(800, [
    'Your next step',
    'Close with the one thing to do today, and what becomes possible after it.',
    ['What is the smallest first step?', 'Where does the reader go for help?'],
    ['the first step'],
    0.7,
  ]),
];
