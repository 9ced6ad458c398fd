import type { z } from 'zod';
import { defineCatalogue, type ToolContract } from '#libs/contract/define-tool.js';
import { generateArticle } from './generate-article/contract.js';
import { generateBlogTitle } from './generate-blog-title/contract.js';
import { humanizeText } from './humanize-text/contract.js';
import { chatWithPdf } from './chat-with-pdf/contract.js';
import { rewriteText } from './rewrite-text/contract.js';
import { addNotebookDocument } from './add-notebook-document/contract.js';
import { askNotebook } from './ask-notebook/contract.js';
import { summariseDocument } from './summarise-document/contract.js';
import { notesToText } from './notes-to-text/contract.js';
import { resumeReview } from './resume-review/contract.js';
import { calculateAtsScore } from './calculate-ats-score/contract.js';
import { tailoredBullets } from './tailored-bullets/contract.js';
import { coverLetter } from './cover-letter/contract.js';
import { generateImage } from './generate-image/contract.js';
import { removeImageBackground } from './remove-image-background/contract.js';
import { removeImageObject } from './remove-image-object/contract.js';

/** Every tool by the last part of its endpoint. A new tool must be added to several lists, including this (CONTRIBUTING.md). */
export const tools = defineCatalogue({
  'generate-article': generateArticle,
  'generate-blog-title': generateBlogTitle,
  'humanize-text': humanizeText,
  'rewrite-text': rewriteText,
  'chat-with-pdf': chatWithPdf,
  'add-notebook-document': addNotebookDocument,
  'ask-notebook': askNotebook,
  'summarise-document': summariseDocument,
  'notes-to-text': notesToText,
  'resume-review': resumeReview,
  'calculate-ats-score': calculateAtsScore,
  'tailored-bullets': tailoredBullets,
  'cover-letter': coverLetter,
  'generate-image': generateImage,
  'remove-image-background': removeImageBackground,
  'remove-image-object': removeImageObject,
});

export type ToolName = keyof typeof tools;
export type ToolInput<N extends ToolName> = z.infer<(typeof tools)[N]['input']>;
export type ToolOutput<N extends ToolName> = z.infer<(typeof tools)[N]['output']>;

export const contractOf = <N extends ToolName>(name: N): ContractOf<N> => contracts[name];
type ContractOf<N extends ToolName> = ToolContract<z.ZodType<ToolInput<N>>>;
const contracts: { [N in ToolName]: ContractOf<N> } = tools;

export const toolNames = Object.keys(tools) as ToolName[];
export const isToolName = (name: string): name is ToolName => Object.hasOwn(tools, name);

/** Types of creations whose text users can edit. */
export const editableTypes: ReadonlySet<string> = new Set(
  Object.values<ToolContract>(tools).flatMap(({ creation }) => (creation?.editable ? [creation.type] : [])),
);
