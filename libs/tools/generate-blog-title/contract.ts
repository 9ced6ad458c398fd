import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { manner } from '#libs/contract/brief.js';
import { engineShape } from '#libs/contract/engine.js';
import { requiredText } from '#libs/contract/required-text.js';
import { jobTitleFrom } from '#libs/contract/text.js';

/** Shown by the form in this order. */
export const titleCategories = [
  'General',
  'Technology',
  'Business',
  'Health',
  'Lifestyle',
  'Education',
  'Travel',
  'Food',
] as const;
export type TitleCategory = (typeof titleCategories)[number];

export const KEYWORD_MAX_CHARACTERS = 1000;
export const TITLE_MAX_CHARACTERS = 300;
export const MAX_EXCLUDED_TITLES = 60;

/** Minimum number of titles in a result. {@link MOST_WORDS} is the maximum of words of all titles together. */
export const FEWEST_TITLES = 10;
export const MOST_WORDS = 500;

export const titlesInputSchema = z.object({
  prompt: requiredText('Enter a keyword for the titles.', 'keyword', KEYWORD_MAX_CHARACTERS).meta({
    description: 'The keyword, or an instruction that a client built around it.',
  }),
  category: z
    .enum(titleCategories, { error: `Choose one of the categories: ${titleCategories.join(', ')}.` })
    .default('General')
    .meta({ description: 'What kind of blog the titles are for. A category named in `prompt` counts too.' }),
  ...manner,
  exclude: z
    .array(
      z
        .string()
        .trim()
        .max(TITLE_MAX_CHARACTERS, `Keep each title within ${TITLE_MAX_CHARACTERS} characters.`),
      {
        error: 'Send the titles that are there already as a list.',
      },
    )
    .max(MAX_EXCLUDED_TITLES, `Send at most ${MAX_EXCLUDED_TITLES} titles that are there already.`)
    .optional()
    .meta({
      description:
        'Titles that are there already, such as those of an earlier result. Others are given, as far as there are some.',
    }),
});

export type TitlesInput = z.output<typeof titlesInputSchema>;

export const titlesOutputSchema = z.object({
  content: z.string().meta({ description: 'The titles as a numbered list in Markdown.' }),
  titles: z.array(z.string()).meta({ description: 'The same titles one by one, in Markdown.' }),
  ...engineShape,
  notice: z.string().nullable().meta({ description: 'What of the brief the titles do not keep to.' }),
});

export const generateBlogTitle = defineTool({
  title: 'Title Suggester',
  label: 'Title Generator',
  tagline: 'At least ten titles for a keyword, in the voice of your field.',
  description: 'Suggests at least ten blog titles for a keyword and a category.',
  order: 2,
  group: 'text',
  example: { prompt: 'sourdough', category: 'Food' },
  creation: { type: 'blog-title', label: 'Titles', editable: true },
  input: titlesInputSchema,
  output: titlesOutputSchema,
  queue: 'text',
  plan: 'free',
  credits: 1,
  timeLimitSeconds: 180,
  jobTitle: ({ prompt }) => jobTitleFrom(prompt),
  successMessage: 'Title Generated',
});
