import { at, readerQuestions, type SectionPlan } from './section.js';

/** A comparison of two or more. The names may be singular or plural, so no verb depends on them. */
export const comparison = ({
  first,
  others,
  all,
}: {
  first: string;
  others: string;
  all: string;
}): SectionPlan[] => [
  at(800, [
    'The choice in short',
    `Say who has to choose between ${all}, and give your answer at once; the article then shows why.`,
    ['Who is the reader, and what do they need it for?', 'What would you tell a friend in one sentence?'],
    ['your answer in one sentence'],
  ]),
  at(1200, [
    'What they have in common',
    `Say what ${all} share, so that the rest can be about what sets them apart.`,
    ['Which needs are met whichever one the reader takes?', 'Which supposed difference does not matter?'],
    ['what they share'],
    0.8,
  ]),
  at(800, [
    `The case for ${first}`,
    `Make the strongest honest case for ${first}: the best sides, who gains by them, and the price.`,
    [`When is the right choice clearly ${first}?`, 'What do the critics overlook?'],
    ['the greatest strength, with an example', 'the greatest weakness'],
    1.4,
  ]),
  at(800, [
    `The case for ${others}`,
    `Do the same for ${others}, with the same care and on the same points.`,
    [`When is the right choice clearly ${others}?`, 'What surprises people who change over?'],
    ['the greatest strength, with an example', 'the greatest weakness'],
    1.4,
  ]),
  at(800, [
    'Side by side',
    'Put the points that decide into one table, a row for each, and say below which rows weigh most.',
    ['Which four to six points decide?', 'Which of them can be measured, and who measured them?'],
    ['point 1', 'point 2', 'point 3', 'where the figures come from'],
    1.2,
  ]),
  at(1200, [
    'What each costs over time',
    'Look beyond the price: effort, upkeep, learning, and what it takes to stop.',
    ['What does the reader pay in the first month, and in the third year?', 'Which cost shows only later?'],
    ['cost of the one', 'cost of the other'],
  ]),
  at(800, [
    'Which one for whom',
    'Describe two or three typical readers and name the choice for each. Where it is a tie, say so.',
    ['Which single circumstance settles it?', 'Who should take something else altogether?'],
    ['reader 1 and the choice', 'reader 2 and the choice'],
  ]),
  at(1600, [
    'Changing from one to the other',
    'Say what a change takes: what carries over, what has to be done again, and when it is not worth it.',
    ['What carries over?', 'What would make you change?'],
    ['what a change costs in time and money'],
  ]),
  at(1600, readerQuestions()),
  at(800, [
    'How to decide',
    'Close with two or three questions that lead the reader to their own answer.',
    ['What should the reader try before deciding?', 'By when do they have to choose?'],
    ['a way to try it'],
    0.7,
  ]),
];
