import { at, example, type SectionPlan } from './section.js';

/** An answer to a question, which comes quoted. */
export const question = (words: string): SectionPlan[] => [
  at(800, [
    'Where the question comes from',
    `Begin with the moment in which somebody asks ${words}: a scene, a doubt, a decision.`,
    ['Who asks this, and when?', 'What depends on the answer?'],
    ['a scene in which the question comes up'],
  ]),
  at(800, [
    'The short answer',
    'Answer in two or three plain sentences. The rest of the article earns them.',
    ['What would you say if you had ten seconds?', 'How sure is the answer?'],
    ['the answer in one sentence'],
    0.8,
  ]),
  at(800, [
    'What lies behind it',
    'Explain cause and effect step by step, each step from the one before. Use one comparison from daily life.',
    ['What has to be understood first?', 'Which step do most explanations skip?'],
    ['step 1 of the explanation', 'step 2 of the explanation'],
    1.8,
  ]),
  at(1200, [
    'How we know',
    'Tell who found it out, how, and what could have proved them wrong.',
    ['Who asked first, and what did they do to find out?', 'What was believed before?'],
    ['a name and a year, with the source'],
  ]),
  at(800, [
    'The evidence',
    'Give two or three pieces of evidence with their sources, the strongest first, and say what each one shows.',
    ['What would convince a doubter?', 'What is only claimed, and by whom?'],
    ['evidence 1 and its source', 'evidence 2 and its source'],
    1.3,
  ]),
  at(1200, [
    'Other explanations',
    'Give the best rival answer a fair hearing, then say what speaks against it.',
    ['Which other answer is heard often?', 'What is right about it?'],
    ['the rival answer', 'what speaks against it'],
  ]),
  at(1600, example()),
  at(1600, [
    'What is still open',
    'Name what is not known, what is disputed, and what would settle it.',
    ['Where do those who know the subject disagree?', 'What may look different in ten years?'],
    ['an open point'],
  ]),
  at(800, [
    'What it means for you',
    'Bring it home: what the reader can see, do or decide better now.',
    ['What changes for somebody who knows the answer?', 'Where does the answer not apply?'],
    ['one thing to do differently'],
  ]),
  at(800, [
    'What to remember',
    'Close by coming back to the opening scene with the answer in hand.',
    ['Which sentence should stay?', 'Which question comes next?'],
    ['the sentence to remember'],
    0.7,
  ]),
];
