import { EngineError, type EngineName } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import type { NotebookCitation } from '#libs/contract/notebooks.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type { AskedQuestion } from '#libs/local-engine/pdf-search/question.js';
import { languageName } from '#libs/local-engine/text/language.js';
import type { SourceDocument } from '#libs/notebooks/notebook-documents.js';
import type { ToolInput } from '../catalogue.js';
import { choosePassages } from '../shared/choose-passages.js';
import { embedClosely, noteOnUnread } from '../shared/embed-question.js';
import {
  ANSWERING_PERCENT,
  CHECKING_PERCENT,
  noteOnDropped,
  streamAnswer,
  streamPieces,
} from '../shared/quoted-answer.js';
import { onSearchThread } from '../shared/search-thread.js';
import { notebookMessages } from './prompt.js';
import { namedIn } from './named-documents.js';
import { joinSources, type JoinedSources } from './sources.js';

const SEARCHING_PERCENT = 10;
const EMBEDDING = { from: SEARCHING_PERCENT, to: ANSWERING_PERCENT };

type Input = ToolInput<'ask-notebook'>;

export const askNotebookHandler: ToolHandler<'ask-notebook'> = {
  async withProvider(input, provider, context) {
    const { documents, sources, asked } = await open(input, context);
    const { pages } = sources;
    const languages = await onSearchThread('languages', asked, context.signal);
    const { excerpts, embedded } = await choosePassages(
      asked,
      documents,
      languages,
      provider,
      context,
      SEARCHING_PERCENT,
    );
    const messages = notebookMessages({
      documents,
      excerpts: excerpts.map(({ page, text }) => ({ ...sources.placeOf(page), text })),
      history: asked.history,
      question: input.message,
      language: languages && languageName(languages.question),
      // The job's id is random, so the documents' authors cannot have written the marker into a text.
      marker: `passage-${context.jobId.slice(0, 8)}`,
    });

    const answer = await streamAnswer(provider, messages, context);

    context.stage('checking', 'Checking quotations', CHECKING_PERCENT);
    const checked = await onSearchThread(
      'check',
      {
        answer: sources.toJoined(answer),
        pages,
        labels: sources.labels,
        question: input.message,
        given: new Set(excerpts.map(({ page }) => page)),
      },
      context.signal,
    );
    if (!checked.content) {
      throw new EngineError('The AI service gave an empty answer. Try again.', { retryable: true });
    }
    return outcome(input, context, {
      content:
        sources.fromJoined(checked.content) +
        noteOnDropped(checked.dropped, { isOneDocument: documents.length === 1 }) +
        unreadNote(embedded),
      citations: checked.citations.map((citation) => sources.cite(citation)),
      engine: 'openai',
    });
  },

  async offline(input, context) {
    const { documents, sources, asked } = await open(input, context);
    const texts = await onSearchThread('textsToEmbed', asked, context.signal);
    const embedded = texts && (await embedClosely(documents, asked, texts, context, EMBEDDING));
    const { pieces, citations } = await onSearchThread(
      'answer',
      { ...asked, meaning: embedded?.meaning ?? null },
      context.signal,
    );
    const named = pieces.map((piece) => sources.fromJoined(piece));
    await streamPieces(named, context);
    return outcome(input, context, {
      content: named.join('\n\n') + unreadNote(embedded),
      citations: citations.map((citation) => sources.cite(citation)),
      engine: 'offline',
      ...(embedded && { model: embedded.model }),
    });
  },
};

interface Opened {
  documents: SourceDocument[];
  sources: JoinedSources;
  asked: AskedQuestion;
}

async function open(input: Input, context: RunContext): Promise<Opened> {
  const { userId, notebooks, notebookDocuments } = context;
  context.stage('searching', 'Searching the documents', SEARCHING_PERCENT);
  const searched = await notebookDocuments.open(userId, input.notebook_id, input.documents);
  if (searched.length === 0) {
    throw new AppError('VALIDATION_FAILED', 'Add a document first, or switch one on.');
  }
  const documents = namedIn(input.message, searched);
  const { messages } = await notebooks.messages(userId, input.notebook_id);
  const sources = joinSources(documents);
  const only = documents.length === 1 ? documents[0] : undefined;
  const { pages, starts, labels } = sources;
  return {
    documents,
    sources,
    asked: {
      question: input.message,
      history: messages,
      fileName: only?.name ?? `${documents.length} documents`,
      pages,
      labels,
      ...(only ? { details: only.details } : { starts }),
    },
  };
}

interface Answer {
  content: string;
  citations: NotebookCitation[];
  engine: EngineName;
  /** The title of the local model, if the answer used a local model. */
  model?: string;
}

function outcome(
  { notebook_id: notebookId, message }: Input,
  { userId, jobId, notebooks }: RunContext,
  { content, citations, engine, model }: Answer,
): ToolOutcome<'ask-notebook'> {
  return {
    result: { content, citations, notebookId, engine },
    ...(model && { model }),
    // Conversations are stored by notebook, not as creations.
    creation: null,
    commit: (transaction) =>
      notebooks.addExchange(transaction, userId, {
        notebookId,
        jobId,
        question: { role: 'user', content: message },
        answer: { role: 'assistant', content, citations, engine, ...(model && { model }) },
      }),
  };
}

const unreadNote = (embedded: { unread: number } | null) =>
  embedded && embedded.unread > 0 ? `\n\n${noteOnUnread(embedded.unread)}` : '';
