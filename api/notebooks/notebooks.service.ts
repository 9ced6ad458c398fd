import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/contract/errors.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobLifecycle, ignoreEnded } from '#libs/jobs/lifecycle.js';
import { NotebookDocuments } from '#libs/notebooks/notebook-documents.js';
import { Notebooks } from '#libs/notebooks/notebooks.js';
import { StoredFiles, type FileRecord } from '#libs/storage/stored-files.js';

@Injectable()
export class NotebooksService {
  constructor(
    private readonly notebooks: Notebooks,
    private readonly documents: NotebookDocuments,
    private readonly files: StoredFiles,
    private readonly lifecycle: JobLifecycle,
    private readonly live: SocketServer,
  ) {}

  /** Waits for a change, then publishes to the user's open pages that notebooks changed. */
  async publish<T>(userId: string, change: Promise<T>): Promise<T> {
    const result = await change;
    this.live.publishToUser(userId, 'notebooks');
    return result;
  }

  /** Deletes a notebook and cancels its unfinished jobs. @throws AppError NOT_FOUND */
  async delete(userId: string, id: string): Promise<void> {
    // Cancel first: unfinished jobs would add to the deleted notebook, and fail.
    for (const job of await this.notebooks.unfinishedJobs(userId, id)) {
      await this.lifecycle.cancel(userId, job).catch(ignoreEnded);
    }
    await this.notebooks.delete(userId, id);
  }

  /** Removes a document; cancels the job that reads it, or deletes the job that failed. @throws AppError NOT_FOUND */
  async removeDocument(userId: string, notebookId: string, id: string): Promise<void> {
    if (await this.documents.isBeingRead(userId, notebookId, id)) {
      await this.lifecycle.cancel(userId, id).catch(ignoreEnded);
    } else await this.documents.remove(userId, notebookId, id);
  }

  /** The file of a document. @throws AppError NOT_FOUND */
  async file(userId: string, notebookId: string, documentId: string): Promise<FileRecord> {
    await this.documents.requireDocument(userId, notebookId, documentId);
    const file = await this.files.findDocument(userId, documentId);
    if (!file) throw new AppError('NOT_FOUND', 'The file of this document is not stored.');
    return file;
  }
}
