import type { TitleCategory } from '#libs/tools/generate-blog-title/contract.js';
import data from './patterns.json' with { type: 'json' };

/** The title patterns of a category, by the position of the keyword. No pattern states a fact. */
type CategoryPatterns = {
  /** The keyword follows a preposition, without an article or in quotation marks. */
  about: string[];
  /** Follows any keyword and a colon. */
  angle: string[];
  /** The keyword precedes another noun. */
  noun: string[];
  /** The keyword is a task and follows "how to". */
  task: string[];
};

/** The patterns of the category General, which are used for every category. */
export type GeneralPatterns = CategoryPatterns & {
  /** Follows a comparison ("Dogs vs Cats") and a colon. */
  comparison: string[];
  /** The keyword is a thing to buy or own, with an article. */
  one: string[];
  /** The keyword is any countable thing, with an article. */
  single: string[];
  /** Has a verb that agrees with the number of the keyword. */
  counted: string[];
  question: string[];
  /** Follows a question. */
  answer: string[];
};

/**
 * Title patterns by category. `{}` is the keyword, `{a}` and `{A}` the keyword with an article. `{s}` and `{is}` are verb
 * endings that agree with the keyword's number.
 */
export const patterns: { General: GeneralPatterns } & Record<TitleCategory, CategoryPatterns> = data;
