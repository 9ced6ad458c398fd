import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EngineError } from '#libs/contract/engine.js';
import type { Documents } from '#libs/documents/documents.js';
import type { RunContext, ToolHandler } from '#libs/jobs/tool-handler.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { askNotebookHandler } from '#libs/tools/ask-notebook/run.js';
import { atsHandler } from '#libs/tools/calculate-ats-score/run.js';
import { chatWithPdfHandler } from '#libs/tools/chat-with-pdf/run.js';
import { coverLetterHandler } from '#libs/tools/cover-letter/run.js';
import { articleHandler } from '#libs/tools/generate-article/run.js';
import { blogTitleHandler } from '#libs/tools/generate-blog-title/run.js';
import { humanizeHandler } from '#libs/tools/humanize-text/run.js';
import { resumeReviewHandler } from '#libs/tools/resume-review/run.js';
import { rewriteHandler } from '#libs/tools/rewrite-text/run.js';
import { summariseDocumentHandler } from '#libs/tools/summarise-document/run.js';
import { tailoredBulletsHandler } from '#libs/tools/tailored-bullets/run.js';
import { providerOf } from '../provider/config.ts';
import { startTextServer, textServices, type TextServer } from '../provider/text-services.ts';
import { documentsOf, resumeFile, resumePages } from '../support/resumes.ts';
import { recordRun, type RecordedRun } from '../support/run-context.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

/**
 * Every text tool with every service: the result must be that of a good service, or the job fails with a message. The job
 * platform charges a job whose handler returns, and no other.
 */

allowTimeForPrograms();

let server: TextServer;
beforeAll(async () => {
  server = await startTextServer();
});
afterAll(() => server.close());

const JOB = 'We look for an engineer with Kubernetes, Terraform and Kafka. PostgreSQL is a plus.';
const PAGES = [
  'The lighthouse of Vellmar was built in 1874 from grey granite.',
  'Its lamp has a range of nineteen nautical miles.',
];
const document = {
  id: 'd0c00000',
  source: 1,
  name: 'lighthouse.pdf',
  pages: PAGES,
  labels: null,
  details: null,
};

/** Stored documents, without a database. */
const documents = {
  ...documentsOf(resumePages),
  chats: {
    open: async () => ({
      notebookId: 'notebook',
      document: { ...document, scan: null, attachments: null },
      messages: [],
    }),
  },
  summaries: { find: async () => ({ name: document.name, pages: PAGES, summary: null }) },
} as unknown as Documents;
const stored = {
  notebookDocuments: { open: async () => [document] },
  notebooks: { messages: async () => ({ messages: [] }) },
} as unknown as Partial<RunContext>;

type TextTool = Exclude<
  ToolName,
  | 'generate-image'
  | 'remove-image-background'
  | 'remove-image-object'
  | 'add-notebook-document'
  | 'notes-to-text'
>;
interface Case<Name extends TextTool> {
  handler: ToolHandler<Name>;
  input: Parameters<ToolHandler<Name>['withProvider']>[0];
}
const LETTER = 'Dear Sam,\nThank you for 3 letters.\n\nYours,\nPat';

const cases: { [Name in TextTool]: Case<Name> } = {
  'generate-article': { handler: articleHandler, input: { prompt: 'Tidal power', length: 800 } },
  'generate-blog-title': {
    handler: blogTitleHandler,
    input: { prompt: 'house plants', category: 'Lifestyle' },
  },
  'humanize-text': { handler: humanizeHandler, input: { text: LETTER } },
  'rewrite-text': {
    handler: rewriteHandler,
    input: { action: 'shorter', text: 'The very old house has 3 rooms.' },
  },
  'resume-review': { handler: resumeReviewHandler, input: {} },
  'calculate-ats-score': { handler: atsHandler, input: { jobDescription: JOB } },
  'tailored-bullets': { handler: tailoredBulletsHandler, input: { jobDescription: JOB } },
  'cover-letter': { handler: coverLetterHandler, input: { jobDescription: JOB } },
  'chat-with-pdf': { handler: chatWithPdfHandler, input: { message: 'When was it built?' } },
  'ask-notebook': {
    handler: askNotebookHandler,
    input: { notebook_id: 'notebook', message: 'When was it built?' },
  },
  'summarise-document': { handler: summariseDocumentHandler, input: { document_id: document.id } },
};

/** Tools whose answers may have a preface, since they answer a question. */
const conversations = new Set<TextTool>(['chat-with-pdf', 'ask-notebook']);
const ATTEMPTS = 3;

interface Ended {
  result?: unknown;
  error?: EngineError;
  attempts: number;
  run: RecordedRun;
}

/** Runs a job as the platform does: a failure that may pass is repeated. */
async function runJob<Name extends TextTool>({ handler, input }: Case<Name>): Promise<Ended> {
  const provider = providerOf(server);
  const files = { resume: resumeFile(), pdf: resumeFile('lighthouse.pdf') };
  const run = recordRun({ files, documents });
  Object.assign(run.context, stored);
  for (let attempts = 1; ; attempts += 1) {
    try {
      const { result } = await handler.withProvider(input, provider, run.context);
      return { result, attempts, run };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const isRetried = error instanceof EngineError && error.retryable;
      if (!isRetried || attempts === ATTEMPTS) return { error: error as EngineError, attempts, run };
    }
  }
}

describe.each(Object.entries(cases) as [TextTool, Case<TextTool>][])('%s', (tool, given) => {
  let good: Ended;
  beforeAll(async () => {
    server.reply = textServices[0]!.reply;
    good = await runJob(given);
    expect(good.error).toBeUndefined();
  });

  it.each(textServices.filter(({ isWrapped }) => !isWrapped || !conversations.has(tool)))(
    '$name',
    async ({ reply, message, isRetried = false }) => {
      server.reply = reply;
      const { result, error, attempts } = await runJob(given);
      if (message) {
        expect(error?.message).toMatch(message);
        expect(attempts).toBe(isRetried ? ATTEMPTS : 1);
      } else {
        expect(error).toBeUndefined();
        expect(result).toEqual(good.result);
      }
    },
  );
});
