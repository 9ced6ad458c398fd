/** A section of an outline without its length. */
export interface SectionPlan {
  heading: string;
  /** The section's purpose, in one or two sentences. */
  cover: string;
  /** Questions that the section answers. */
  ask: string[];
  /** Facts that only the writer knows; each becomes a blank. */
  fill: string[];
  /** Its relative length. */
  weight: number;
  /** The shortest article that includes it, in words. */
  from: 800 | 1200 | 1600;
}

/** Heading, purpose, questions, blanks, and the weight if it is not 1. */
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
