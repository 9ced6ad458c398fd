import { at, readerQuestions, type SectionPlan } from './section.js';

/** News, or an announcement. `topic` comes quoted. */
export const announcement = (topic: string): SectionPlan[] => [
  at(800, [
    'The news',
    `Put it into the first two sentences: who does what, when and where, and why ${topic} matters to the reader.`,
    ['What happened, or will happen?', 'What would a reader repeat to a colleague?'],
    ['who', 'what', 'when and where'],
  ]),
  at(800, [
    'What is new',
    'Say what was there before and what is different now, point by point, in the reader’s words.',
    ['What can be done now that could not be done before?', 'What stays as it was?'],
    ['what is new', 'what it replaces'],
    1.5,
  ]),
  at(800, [
    'Why now',
    'Give the reason behind it: a need, a date, a change in the field.',
    ['Which problem does it solve?', 'Who asked for it?'],
    ['the reason', 'a figure that shows the need, with its source'],
  ]),
  at(1200, [
    'Who is behind it',
    'Introduce the people and organisations, and what qualifies them, in a few lines.',
    ['Who did the work?', 'Who paid for it, and who stands to gain?'],
    ['a name and a role'],
    0.9,
  ]),
  at(800, [
    'What it means for you',
    'Go through the readers: customers, members, neighbours, staff. Say what each has to do, or need not do.',
    ['Who notices first?', 'Who has to act, and by when?'],
    ['a group, and what changes for it'],
    1.3,
  ]),
  at(1200, [
    'What people say',
    'Quote one person responsible and one who is affected. Quote only what was really said and agreed.',
    ['Who can say why it matters in one sentence?', 'Who sees it critically?'],
    ['a quotation, and who said it'],
    0.9,
  ]),
  at(1600, [
    'The story so far',
    'Give the background that a newcomer needs, in order and in brief.',
    ['When did it start?', 'What was tried before?'],
    ['an earlier step, with its date'],
  ]),
  at(800, [
    'Dates, places, prices',
    'Collect everything practical in one list that can be found at a glance.',
    ['When and where does it start?', 'What does it cost, and for whom is it free?'],
    ['date', 'place or address', 'price'],
    0.9,
  ]),
  at(1600, readerQuestions()),
  at(800, [
    'What to do now',
    'Close with one action and where to turn with questions.',
    ['What should an interested reader do first?', 'Who answers questions?'],
    ['the action', 'the contact'],
    0.7,
  ]),
];
