import { AppError } from '#libs/contract/errors.js';
import type { ToolInput } from '../catalogue.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import { textOfNotes } from './text-of-notes.js';

export const notesToTextHandler: ToolHandler<'notes-to-text'> = {
  withProvider: (input, _, context) => run(input, context),
  offline: (input, context) => run(input, context),
};

/** Joins the notes. This needs no AI service, so both engines do the same. */
async function run(
  { notebook_id: notebookId, notes: ids, title }: ToolInput<'notes-to-text'>,
  context: RunContext,
): Promise<ToolOutcome<'notes-to-text'>> {
  const { userId, notebooks, notebookDocuments, notebookNotes } = context;
  context.stage('gathering', 'Gathering the notes', 10);
  const all = await notebookNotes.list(userId, notebookId);
  const notes = ids ? ids.flatMap((id) => all.find((note) => note.id === id) ?? []) : all;
  if (ids && notes.length < ids.length) {
    throw new AppError('NOT_FOUND', 'One of the notes is no longer there. Choose again.');
  }
  if (notes.length === 0) throw new AppError('VALIDATION_FAILED', 'Keep an answer as a note first.');
  const { name } = await notebooks.get(userId, notebookId);
  const documents = await notebookDocuments.list(userId, notebookId);
  const heading = title || name;
  const content = textOfNotes(heading, notes, documents);
  context.text(content);
  return {
    result: { notebookId, content, engine: 'offline' },
    creation: { type: 'notes', prompt: heading, content },
  };
}
