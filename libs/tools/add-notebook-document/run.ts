import { createHash } from 'node:crypto';
import type { InputFile } from '#libs/contract/files.js';
import { AppError } from '#libs/contract/errors.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { toFileName } from '#libs/documents/file-names.js';
import { kindOf } from '#libs/documents/document-kinds.js';
import type { ToolInput } from '../catalogue.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type * as searchTasks from '#libs/local-engine/pdf-search/thread.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import { canEmbed } from '../shared/embed-question.js';
import { attachmentsNotice, readDocument, scanNotice } from '../shared/read-document.js';

type Input = ToolInput<'add-notebook-document'>;

const onSearchThread = textThreads.tasks<typeof searchTasks>(
  import.meta.resolve('#libs/local-engine/pdf-search/thread.js'),
);

export const addNotebookDocumentHandler: ToolHandler<'add-notebook-document'> = {
  withProvider: (input, _, context) => run(input, context),
  offline: (input, context) => run(input, context),
};

/** Reading needs no AI service, so both engines do the same. */
async function run(input: Input, context: RunContext): Promise<ToolOutcome<'add-notebook-document'>> {
  const { userId, notebookDocuments } = context;
  const { notebook_id: notebookId, replaces, language } = input;
  context.stage('reading', 'Reading the document', 3);
  await notebookDocuments.requireRoom(userId, { notebookId, replaces });
  const file = (await context.file('document')) ?? pastedFile(input);
  const { id: documentId, pages, scan, attachments } = await readDocument(context, file, language);
  const name = input.name || toFileName(file.name);
  // The first question about the document then finds its passages embedded.
  const texts = await onSearchThread('textsOfDocument', { pages }, context.signal);
  if (await canEmbed(texts, context)) context.embedder.readInBackground(documentId, texts);
  const notices = [scanNotice(scan), attachmentsNotice(attachments)].filter((notice) => notice !== null);
  const result = {
    notebookId,
    documentId,
    name,
    kind: kindOf(file.type),
    pages: pages.length,
    notice: notices.join(' ') || null,
    engine: 'offline' as const,
  };
  return {
    result,
    creation: null,
    commit: (transaction) =>
      notebookDocuments.add(transaction, userId, { notebookId, documentId, name, replaces }),
  };
}

function pastedFile({ text, name }: Input): InputFile {
  if (!text) throw new AppError('VALIDATION_FAILED', 'Choose a file, or paste a text.');
  const bytes = Buffer.from(text);
  return {
    name: name || jobTitleFrom(text),
    type: 'text/markdown',
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
