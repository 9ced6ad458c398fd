import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import { readLatestMessages } from '#libs/documents/pdf-chats.js';

/** The job with the latest of the conversation in its result, if it answered a question about a PDF; any other job as it is. */
export async function withConversation(database: Database, job: JobEntity): Promise<JobEntity> {
  const { tool, result, resultDeletedAt } = job;
  const documentId = result?.documentId;
  if (tool !== 'chat-with-pdf' || typeof documentId !== 'string' || resultDeletedAt) return job;
  const { messages } = await readLatestMessages(database, documentId);
  return { ...job, result: { ...result, chatHistory: messages } };
}
