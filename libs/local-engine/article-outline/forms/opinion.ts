import { at, example, type SectionPlan } from './section.js';

/** An opinion piece. `topic` comes quoted. */
export const opinion = (topic: string): SectionPlan[] => [
  at(800, [
    'What is at stake',
    `Begin with a case in which it matters how one decides on ${topic}. Say who is affected.`,
    ['Who gains or loses, and how much?', 'Why does it have to be settled now?'],
    ['a case that shows what is at stake'],
  ]),
  at(800, [
    'Where I stand',
    'State your position in one sentence, then say what it does not claim.',
    ['What exactly do you hold?', 'What do you not hold, though some will think so?'],
    ['your position in one sentence'],
    0.8,
  ]),
  at(800, [
    'The strongest reason',
    'Give your best reason all the room it needs, with an example and a source.',
    ['Which reason would move somebody who is undecided?', 'What would have to be true for it to fail?'],
    ['the reason', 'the example or source behind it'],
    1.6,
  ]),
  at(1200, [
    'Further reasons',
    'Add one or two reasons that stand on their own feet, shorter than the first.',
    [
      'Which reason speaks to a different kind of reader?',
      'Which popular reason do you leave out, because it is weak?',
    ],
    ['a second reason'],
  ]),
  at(1200, example()),
  at(800, [
    'The best argument against',
    'Put the other side so fairly that those who hold it would agree, and only then answer.',
    ['What would the cleverest opponent say?', 'In what are they right?'],
    ['their best argument', 'what they are right about'],
    1.4,
  ]),
  at(1600, [
    'Who gains and who pays',
    'Go through those affected one by one: what each would win, lose or have to change.',
    ['Who is not heard in this debate?', 'Who pays first, and who gains last?'],
    ['a group, and what changes for it'],
  ]),
  at(800, [
    'Weighing the two',
    'Show how you come to your position in spite of what speaks against it. Name the value that decides.',
    ['Which value counts for more here, and why?', 'Where would you draw the line?'],
    ['what tips the balance'],
    1.2,
  ]),
  at(1600, [
    'What would change my mind',
    'Name the fact or the outcome that would make you think again. It shows that the position is earned.',
    ['Which finding would speak against you?', 'How could one find out?'],
    ['what would change your mind'],
    0.8,
  ]),
  at(800, [
    'What should happen now',
    'Close with one demand or one invitation, addressed to somebody who can act on it.',
    ['Who can act, and what exactly should they do?', 'What can the reader do?'],
    ['the next step, and whose it is'],
    0.7,
  ]),
];
