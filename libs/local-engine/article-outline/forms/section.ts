/** One section of an outline, before it has its words. */
export interface SectionPlan {
  heading: string;
  /** What the section is to do, in one or two sentences. */
  cover: string;
  /** Questions whose answers are the section. */
  ask: string[];
  /** What only the writer knows: each becomes a blank. */
  fill: string[];
  /** Its share of the article beside the other sections'. */
  weight: number;
  /** The shortest article that has room for it, in words. */
  from: 800 | 1200 | 1600;
}

/** A section without its place: heading, what to cover, questions, blanks, and its weight if that is not 1. */
type Section = [heading: string, cover: string, ask: string[], fill: string[], weight?: number];

/** A section for articles of `from` words or more. */
export const at = (
  from: SectionPlan['from'],
  [heading, cover, ask, fill, weight = 1]: Section,
): SectionPlan => ({
  heading,
  cover,
  ask,
  fill,
  weight,
  from,
});

// Sections that suit several forms.

export function readerQuestions(): Section {
  return [
    'What readers ask',
    'Answer three or four questions in two or three sentences each. Take real ones, from comments, search or talk.',
    ['What do people ask first, and what last?', 'Which question is nobody glad to answer?'],
    ['a question and its answer', 'another question and its answer'],
  ];
}

export function mistakes(): Section {
  return [
    'Mistakes to avoid',
    'Name two or three mistakes, why they are easy to make, and what to do instead.',
    ['Which mistake costs the most?', 'Which one looks like a good idea at first?'],
    ['a mistake, and what to do instead'],
  ];
}

export function example(): Section {
  return [
    'An example, looked at closely',
    'Tell one case in full, with its people and its numbers, and say what can be learned from it and what cannot.',
    ['Which case do you know best?', 'In what is it typical, and in what not?'],
    ['the case', 'what it shows'],
  ];
}
