import { at, mistakes, readerQuestions, type SectionPlan } from './section.js';

/** With fewer words than this for each entry, an entry has no room for a heading of its own. */
const WORDS_FOR_AN_ENTRY = 60;

/** A list of `count` entries in an article of `length` words. */
export const list = (things: string, count: number, length: number): SectionPlan[] => {
  const half = Math.ceil(count / 2);
  const range = (from: number, to: number) => (from === to ? `Number ${to}` : `Numbers ${from} to ${to}`);
  return [
    at(800, [
      'Who this list is for',
      'Say in a few lines who the list helps and what they can do after reading it. No history, no dictionary.',
      ['What is the reader looking for when they find this?', 'What will they do with it?'],
      ['the reader in one sentence'],
      0.8,
    ]),
    at(800, [
      'How these were chosen',
      `Tell what you looked at for “${things}”, what counted and what did not. A reader trusts a list whose rules are known.`,
      ['What had to be true of each?', 'What did you leave out on purpose?'],
      ['what counted', 'how many you looked at'],
      0.8,
    ]),
    at(800, [
      range(1, half),
      count * WORDS_FOR_AN_ENTRY > length
        ? 'With so many, each has a line or two: its name, and the one reason why it is here.'
        : 'Give each its own short heading and the same pattern: what it is, why it is here, for whom it is not.',
      ['Which one deserves the first place, and why?', 'What example makes each one easy to picture?'],
      blanks(1, half),
      2,
    ]),
    at(800, [
      range(half + 1, count),
      'Keep to the pattern. Put a strong one last: it is remembered.',
      [
        'Which of these would the reader not have thought of?',
        'What proof or experience stands behind each?',
      ],
      blanks(half + 1, count),
      2,
    ]),
    at(1200, [
      'Almost on the list',
      'Name one or two that just missed, and why. It shows that the list was a choice.',
      ['What would have brought them in?', 'For which reader are they the better pick?'],
      ['what just missed, and why'],
      0.8,
    ]),
    at(800, [
      'All at a glance',
      'Sum all of them up in one table with two or three columns that help to choose.',
      ['Which columns does the reader decide by?', 'Which one stands out in each column?'],
      ['column 1', 'column 2'],
      0.9,
    ]),
    at(1200, [
      'How to choose for yourself',
      'Turn the list round: start from the reader’s situation and lead to one or two of its entries.',
      ['What should a beginner take first?', 'What if there is little time, or little money?'],
      ['a situation, and what fits it'],
    ]),
    at(1600, mistakes()),
    at(1600, readerQuestions()),
    at(800, [
      'Where to start',
      'Close with one recommendation and the first thing to do with it.',
      ['If the reader takes only one, which?', 'What can they do with it today?'],
      ['your one recommendation'],
      0.7,
    ]),
  ];
};

function blanks(from: number, to: number): string[] {
  const all = to - from + 1;
  const shown = all <= 5 ? all : 4;
  const names = Array.from({ length: shown }, (_, i) => `number ${from + i}, and why it is here`);
  return shown < all ? [...names, `the rest, up to number ${to}`] : names;
}
