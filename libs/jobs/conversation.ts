import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import { readLatestMessages } from '#libs/documents/pdf-chats.js';

/**
 * Adds the PDF conversation to the result of a question's job, since conversations are stored with their document.
 * Returns other jobs unchanged.
 */
export async function withConversation(database: Database, job: JobEntity): Promise<JobEntity> {
  const { tool, result, resultDeletedAt } = job;
  const documentId = result?.documentId;
  if (tool !== 'chat-with-pdf' || typeof documentId !== 'string' || resultDeletedAt) return job;
  const { messages } = await readLatestMessages(database, documentId);
  return { ...job, result: { ...result, chatHistory: messages } };
}
