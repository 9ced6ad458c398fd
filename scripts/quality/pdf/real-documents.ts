import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readYaml } from '../../stack/read-yaml.ts';

const answerableSchema = z.array(z.object({ question: z.string(), answers: z.array(z.string()) }));

const documentSchema = z.object({
  name: z.string(),
  /** The file's path in `node_modules`. */
  file: z.string(),
  licence: z.string(),
  answerable: answerableSchema,
  /** Questions without a word in common with the answer. */
  hard: answerableSchema.default([]),
  unanswerable: z.array(z.string()),
});

/** A text that was not written for this project, from an installed npm package. */
export type RealDocument = z.infer<typeof documentSchema>;

export interface RealQuestion {
  document: RealDocument;
  question: string;
  /** Words on each page that answers; null where the document has no answer. */
  answers: string[] | null;
}

export const realDocuments = readYaml(
  new URL('real-documents.yaml', import.meta.url),
  z.array(documentSchema),
);

const questionsOf = (kind: 'answerable' | 'hard'): RealQuestion[] =>
  realDocuments.flatMap((document) => document[kind].map((question) => ({ document, ...question })));

export const answerable = questionsOf('answerable');
export const hard = questionsOf('hard');
export const unanswerable = realDocuments.flatMap((document) =>
  document.unanswerable.map((question): RealQuestion => ({ document, question, answers: null })),
);

const PAGE_CHARACTERS = 2_000;

const packages = dirname(dirname(createRequire(import.meta.url).resolve('typescript/package.json')));

/** The document's text in pages: prose without Markdown markup and without code. */
export function pagesOf({ file }: RealDocument): string[] {
  const text = readFileSync(join(packages, file), 'utf8');
  const paragraphs = withoutMarkup(text)
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*(?!\s*(?:[*-]|\d+\.)\s)/g, ' ').trim())
    .filter((paragraph) => /\p{L}{2}/u.test(paragraph));
  const pages: string[] = [];
  for (const paragraph of paragraphs) {
    const page = pages.at(-1);
    if (page !== undefined && page.length + paragraph.length < PAGE_CHARACTERS) {
      pages[pages.length - 1] = `${page}\n\n${paragraph}`;
    } else pages.push(paragraph);
  }
  return pages;
}

/** A PDF without embedded fonts has Latin letters only. */
const withoutMarkup = (text: string) =>
  text
    .replace(/\r/g, '')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<[^>\n]+>/g, '')
    .replace(/\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])/g, '$1')
    .replace(/^#+ /gm, '')
    .replace(/[`*]{1,2}(?=\S)|(?<=\S)[`*]{1,2}/g, '')
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/—|–/g, '-')
    .replace(/[^\n\x20-\x7e]/g, ' ');
