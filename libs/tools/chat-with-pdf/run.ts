import { EngineError, type EngineName } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import type { Citation, PdfChatMessage } from '#libs/contract/pdf-chats.js';
import type { PdfChat, PdfChats } from '#libs/documents/pdf-chats.js';
import type { ToolInput } from '../catalogue.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import { attachmentsNotice, readDocument, readDocumentAgain, scanNotice } from '../shared/read-document.js';
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
import type { TextsToEmbed } from '#libs/local-engine/pdf-search/thread.js';
import { languageName } from '#libs/local-engine/text/language.js';
import type { AskedQuestion } from '#libs/local-engine/pdf-search/question.js';
import { pdfChatMessages } from './prompt.js';

const READING_PERCENT = 3;
const SEARCHING_PERCENT = 25;
const EMBEDDING = { from: SEARCHING_PERCENT, to: ANSWERING_PERCENT };

type Input = ToolInput<'chat-with-pdf'>;

export const chatWithPdfHandler: ToolHandler<'chat-with-pdf'> = {
  async withProvider(input, provider, context) {
    const chat = await openChat(input, context);
    const { document, history } = chat;
    context.stage('searching', 'Searching the pages', SEARCHING_PERCENT);
    const { pages, labels } = document;
    const languages = await onSearchThread('languages', { question: input.message, pages }, context.signal);
    const { excerpts, texts, embedded } = await choosePassages(
      toAsked(chat, input),
      [document],
      languages,
      provider,
      context,
      SEARCHING_PERCENT,
    );
    const messages = pdfChatMessages({
      document,
      excerpts,
      history,
      question: input.message,
      language: languages && languageName(languages.question),
      // The document's id is random, so the document's author cannot have written the marker into the text.
      marker: `passage-${document.id.slice(0, 8)}`,
    });

    const answer = await streamAnswer(provider, messages, context);

    context.stage('checking', 'Checking quotations', CHECKING_PERCENT);
    const given = new Set(excerpts.map(({ page }) => page));
    const checked = await onSearchThread(
      'check',
      { answer, pages, labels, question: input.message, given },
      context.signal,
    );
    if (!checked.content) {
      throw new EngineError('The AI service gave an empty answer. Try again.', { retryable: true });
    }
    const content =
      checked.content +
      noteOnDropped(checked.dropped, { isOneDocument: true }) +
      noteOnChoice(texts, embedded);
    return outcome(input, context, {
      ...chat,
      content,
      citations: checked.citations,
      engine: 'openai',
    });
  },

  async offline(input, context) {
    const chat = await openChat(input, context);
    context.stage('searching', 'Searching the pages', SEARCHING_PERCENT);
    const asked = toAsked(chat, input);
    const texts = await onSearchThread('textsToEmbed', asked, context.signal);
    const embedded = texts && (await embedClosely([chat.document], asked, texts, context, EMBEDDING));
    const { pieces, citations } = await onSearchThread(
      'answer',
      { ...asked, meaning: embedded?.meaning ?? null },
      context.signal,
    );
    if (embedded && embedded.unread > 0) pieces.push(noteOnUnread(embedded.unread));

    await streamPieces(pieces, context);
    context.stage('checking', 'Checking quotations', CHECKING_PERCENT);
    return outcome(input, context, {
      ...chat,
      content: pieces.join('\n\n'),
      citations,
      engine: 'offline',
      ...(embedded && { model: embedded.model }),
    });
  },
};

interface OpenChat {
  notebookId: string;
  document: PdfChat['document'];
  /** Stored messages of the conversation; if none are stored, the history that the client sent. */
  history: PdfChatMessage[];
}

async function openChat(input: Input, context: RunContext): Promise<OpenChat> {
  const { userId, documents } = context;
  context.stage('reading', 'Reading the document', READING_PERCENT);
  const { notebookId, document, messages } = await findChat();
  return { notebookId, document, history: messages.length > 0 ? messages : (input.chatHistory ?? []) };

  async function findChat(): Promise<PdfChat> {
    const file = await context.file('pdf');
    if (file) {
      const read = await readDocument(context, file, input.language);
      return documents.chats.open(userId, read, { fileName: file.name, conversation: input.conversation });
    }
    const chat = await documents.chats.find(userId, chosenBy(input));
    return { ...chat, document: await readDocumentAgain(context, chat.document, input.language) };
  }
}

function chosenBy({ notebook_id, document_id, file_name }: Input): Parameters<PdfChats['find']>[1] {
  if (notebook_id) return { notebookId: notebook_id };
  if (document_id) return { documentId: document_id };
  if (file_name) return { name: file_name };
  throw new AppError('VALIDATION_FAILED', 'Please upload a PDF file first');
}

const toAsked = ({ document, history }: OpenChat, { message }: Input): AskedQuestion => ({
  question: message,
  history,
  fileName: document.name,
  pages: document.pages,
  labels: document.labels,
  details: document.details,
});

interface Answer extends OpenChat {
  content: string;
  citations: Citation[];
  engine: EngineName;
  /** The title of the local model, if the answer used a local model. */
  model?: string;
}

/** A note that passages of a long document were chosen by words instead of meaning; blank if all passages were embedded. */
function noteOnChoice(texts: TextsToEmbed | null, embedded: { unread: number } | null): string {
  if (!texts || embedded?.unread === 0) return '';
  return `\n\n${embedded ? noteOnUnread(embedded.unread) : CHOSEN_BY_WORDS}`;
}

const CHOSEN_BY_WORDS =
  '*This document is long: the passages for this answer were chosen by the words of your question. If something is missing, ask in words that the document itself may use.*';

function outcome(
  { message }: Input,
  { jobId, documents }: RunContext,
  answered: Answer,
): ToolOutcome<'chat-with-pdf'> {
  const { notebookId, document, history, citations, engine, model } = answered;
  const content = answered.content + noteOnFile(answered);
  const question: PdfChatMessage = { role: 'user', content: message };
  const answer: PdfChatMessage = { role: 'assistant', content, citations, engine, ...(model && { model }) };
  return {
    result: {
      content,
      citations,
      fileName: document.name,
      documentId: document.id,
      notebookId,
      engine,
    },
    ...(model && { model }),
    // Conversations are stored by document, not as creations.
    creation: null,
    commit: (transaction) =>
      documents.chats.add(transaction, {
        notebookId,
        documentId: document.id,
        jobId,
        earlier: history,
        question,
        answer,
      }),
  };
}

/**
 * The first answer lists attachments, and all pages that were hard to read or not read; later answers list only the pages
 * that they quote.
 */
function noteOnFile({ document: { scan, attachments }, history, citations }: Answer): string {
  const isFirst = history.length === 0;
  const cited = new Set(citations.map(({ page }) => page));
  const scanned =
    scan && !isFirst ? { ...scan, hard: scan.hard.filter((page) => cited.has(page)), unread: [] } : scan;
  return [scanNotice(scanned), isFirst && attachmentsNotice(attachments)]
    .map((notice) => (notice ? `\n\n*${notice}*` : ''))
    .join('');
}
