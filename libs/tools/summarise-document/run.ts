import { z } from 'zod';
import { completeJson } from '#libs/ai/complete-json.js';
import type { DocumentSummary } from '#libs/contract/notebooks.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import type * as searchTasks from '#libs/local-engine/pdf-search/thread.js';
import { instructions, material, SUMMARY_TOKENS } from './prompt.js';

const READING_PERCENT = 5;
const WRITING_PERCENT = 30;
const MAX_POINTS = 8;
const QUESTIONS = 5;

const answerSchema = z.object({
  summary: z.string().min(1),
  keyPoints: z.array(z.string()).min(1),
  questions: z.array(z.string()).min(1),
});

const onSearchThread = textThreads.tasks<typeof searchTasks>(
  import.meta.resolve('#libs/local-engine/pdf-search/thread.js'),
);

export const summariseDocumentHandler: ToolHandler<'summarise-document'> = {
  async withProvider({ document_id: id }, provider, context) {
    const { name, pages, summary } = await open(id, context);
    // A summary by rules was made while there was no AI service.
    if (summary?.engine === 'openai') return outcome(id, summary, context);
    const excerpts = await onSearchThread(
      'excerpts',
      {
        pages,
        fileName: name,
        question: 'Summarise the document',
        history: [],
        budgetTokens: SUMMARY_TOKENS,
      },
      context.signal,
    );
    context.stage('writing', 'Writing the summary', WRITING_PERCENT);
    const answer = await completeJson(
      provider,
      {
        instructions,
        material: material(name, pages.length, excerpts),
        name: 'document_summary',
        schema: answerSchema,
      },
      context.signal,
    );
    const made: DocumentSummary = {
      text: answer.summary.trim(),
      keyPoints: filled(answer.keyPoints).slice(0, MAX_POINTS),
      questions: filled(answer.questions).slice(0, QUESTIONS),
      engine: 'openai',
    };
    return outcome(id, made, context);
  },

  async offline({ document_id: id }, context) {
    const { pages, summary } = await open(id, context);
    if (summary) return outcome(id, summary, context);
    const { opening, headings } = await onSearchThread('outlineOf', { pages }, context.signal);
    return outcome(id, { text: opening, keyPoints: headings, questions: [], engine: 'offline' }, context);
  },
};

function open(id: string, context: RunContext) {
  const { userId, documents } = context;
  context.stage('reading', 'Reading the document', READING_PERCENT);
  return documents.summaries.find(userId, id);
}

function outcome(
  documentId: string,
  summary: DocumentSummary,
  { documents }: RunContext,
): ToolOutcome<'summarise-document'> {
  return {
    result: { documentId, summary, engine: summary.engine },
    // A summary is stored with its document.
    creation: null,
    commit: (transaction) => documents.summaries.store(transaction, documentId, summary),
  };
}

const filled = (texts: string[]) => texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean);
