import type { Response } from 'express';
import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/contract/errors.js';
import { fileKinds } from '#libs/contract/limits.js';
import { PdfChats } from '#libs/documents/pdf-chats.js';
import { isPdf } from '#libs/documents/read-attachments.js';
import { readAttachment } from '#libs/documents/read-pdf-pages.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { StoredFiles, type FileRecord } from '#libs/storage/stored-files.js';
import { RateLimits } from '../http/rate-limits.js';
import { limitedRead } from '../http/route.js';

@Injectable()
export class PdfChatsService {
  constructor(
    private readonly chats: PdfChats,
    private readonly files: StoredFiles,
    private readonly lifecycle: JobLifecycle,
    private readonly limits: RateLimits,
  ) {}

  /** A page of conversations. The first page also includes the latest messages of the latest conversation. */
  async history(userId: string, cursor?: string) {
    const { documents, nextCursor } = await this.chats.list(userId, cursor);
    const latest = cursor === undefined ? documents[0] : undefined;
    const { messages, earlierCursor } = latest
      ? await this.chats.messages(userId, latest.fileName)
      : { messages: [], earlierCursor: null };
    return {
      message: documents.length > 0 ? 'Chat history loaded' : 'No previous chats found',
      files: documents.map(({ fileName }) => fileName),
      chatHistory: messages,
      earlierCursor,
      fileName: latest?.fileName ?? null,
      documents,
      nextCursor,
    };
  }

  /** The latest messages of a conversation, or the messages before `cursor`. @throws AppError NOT_FOUND */
  async conversation(userId: string, fileName: string, cursor?: string) {
    const { messages, earlierCursor } = await this.chats.messages(userId, fileName, cursor);
    return { message: 'Chat history loaded', chatHistory: messages, earlierCursor, fileName };
  }

  findSame(userId: string, sha256: string) {
    return this.chats.findSame(userId, sha256);
  }

  /** The PDF of a conversation. @throws AppError NOT_FOUND */
  async file(userId: string, fileName: string): Promise<FileRecord> {
    const file = await this.files.findDocument(userId, await this.chats.documentIdOf(userId, fileName));
    if (!file) throw new AppError('NOT_FOUND', 'The file of this document is not stored.');
    return file;
  }

  /**
   * Takes a PDF out of the PDF of a conversation. @throws AppError NOT_FOUND, also if the attachment is no PDF or too large to
   * be uploaded; RATE_LIMITED, since each call reads the PDF; UNREADABLE_PDF; the signal's reason
   */
  async attachment(
    userId: string,
    fileName: string,
    name: string,
    response: Response,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    await this.limits.count('previews', userId, response);
    const { key } = await limitedRead(response.req, response, () => this.file(userId, fileName));
    const content = await readAttachment(await this.files.read(key), name, { signal });
    if (!content) throw new AppError('NOT_FOUND', 'This document has no attachment of that name.');
    if (!isPdf(content)) throw new AppError('NOT_FOUND', 'Only attachments that are PDFs can be opened.');
    const { maxBytes, maxSize } = fileKinds.pdf;
    if (content.length > maxBytes) {
      throw new AppError('NOT_FOUND', `Attachments of more than ${maxSize} cannot be opened.`);
    }
    return content;
  }

  /** The words on a scanned page. @throws AppError NOT_FOUND */
  async words(userId: string, fileName: string, page: number) {
    return { words: await this.chats.words(userId, fileName, page) };
  }

  /**
   * Clears the conversation about `fileName`, or all conversations, and cancels unfinished questions. @throws AppError
   * NOT_FOUND
   */
  async clear(userId: string, fileName?: string): Promise<void> {
    // Cancel unfinished questions first: they would add their answers to the cleared conversation.
    for (const id of await this.chats.unfinishedJobs(userId, fileName)) {
      await this.lifecycle.cancel(userId, id).catch(ignoreEnded);
    }
    await this.chats.clear(userId, fileName);
  }
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
