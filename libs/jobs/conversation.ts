import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import { readLatestMessages, withoutId } from '#libs/documents/messages.js';

/**
 * Adds the PDF conversation to the result of a question's job, since conversations are stored with their document.
 * Returns other jobs unchanged.
 */
export async function withConversation(database: Database, job: JobEntity): Promise<JobEntity> {
  const { tool, result, resultDeletedAt } = job;
  // In results of older versions, the document's id is the conversation's id too.
  const notebookId = result?.notebookId ?? result?.documentId;
  if (tool !== 'chat-with-pdf' || typeof notebookId !== 'string' || resultDeletedAt) return job;
  const { messages } = await readLatestMessages(database, notebookId);
  return { ...job, result: { ...result, chatHistory: messages.map(withoutId) } };
}
