import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { manner, points, sources } from '#libs/contract/brief.js';
import { engineShape } from '#libs/contract/engine.js';
import { requiredText } from '#libs/contract/required-text.js';
import { jobTitleFrom } from '#libs/contract/text.js';

/** The article lengths on offer, in words. */
export const articleLengths = [800, 1200, 1600] as const;

export const TOPIC_MAX_CHARACTERS = 4000;

export const articleInputSchema = z.object({
  prompt: requiredText('Enter a topic for the article.', 'topic', TOPIC_MAX_CHARACTERS).meta({
    description: 'The topic, in the user’s own words.',
  }),
  length: z
    .union(
      articleLengths.map((length) => z.literal(length)),
      { error: 'Choose a length of 800, 1200 or 1600 words.' },
    )
    .default(800)
    .meta({ description: 'The length to aim for, in words.' }),
  ...manner,
  points,
  sources,
});

export type ArticleInput = z.output<typeof articleInputSchema>;

export const articleOutputSchema = z.object({
  content: z.string().meta({ description: 'The article in Markdown.' }),
  ...engineShape,
  notice: z.string().nullable().meta({
    description: 'What does not keep to the brief: words to avoid, and facts that the sources do not have.',
  }),
});

export const generateArticle = defineTool({
  title: 'AI Content Generator',
  label: 'Write Article',
  tagline: 'Articles on any topic, at the length you choose, written while you watch.',
  description: 'Writes an article on a topic, at the length you choose.',
  order: 1,
  group: 'text',
  example: { prompt: 'Growing tomatoes on a balcony', length: 800 },
  creation: { type: 'article', label: 'Article', editable: true },
  input: articleInputSchema,
  output: articleOutputSchema,
  queue: 'text',
  plan: 'free',
  credits: 1,
  timeLimitSeconds: 300,
  size: ({ length }) => length,
  jobTitle: ({ prompt }) => jobTitleFrom(prompt),
  successMessage: 'Article Generated',
  offlineSuccessMessage: 'Outline made',
});
