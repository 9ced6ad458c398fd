import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/contract/errors.js';
import type { Answer } from '#libs/contract/routes/table.js';
import { PdfChats } from '#libs/documents/pdf-chats.js';
import { StoredFiles, type FileRecord } from '#libs/storage/stored-files.js';

@Injectable()
export class PdfChatsService {
  constructor(
    private readonly chats: PdfChats,
    private readonly files: StoredFiles,
  ) {}

  async history(userId: string): Promise<Answer<'getPdfChatHistory'>> {
    const documents = await this.chats.list(userId);
    const latest = documents[0];
    return {
      success: true,
      message: latest ? 'Chat history loaded' : 'No previous chats found',
      files: documents.map(({ fileName }) => fileName),
      chatHistory: latest ? await this.chats.messages(userId, latest.fileName) : [],
      fileName: latest?.fileName ?? null,
      documents,
    };
  }

  /** The messages of one conversation. @throws AppError NOT_FOUND */
  async conversation(userId: string, fileName: string): Promise<Answer<'getPdfChatHistory'>> {
    const chatHistory = await this.chats.messages(userId, fileName);
    return { success: true, message: 'Chat history loaded', chatHistory, fileName };
  }

  /** The PDF that a conversation is about. @throws AppError NOT_FOUND */
  async file(userId: string, fileName: string): Promise<FileRecord> {
    const file = await this.files.ofDocument(userId, fileName);
    if (!file) throw new AppError('NOT_FOUND', 'The file of this document is not kept here.');
    return file;
  }

  /** Clears all conversations, or the one about `fileName`. @throws AppError NOT_FOUND */
  async clear(userId: string, fileName?: string): Promise<void> {
    await this.chats.clear(userId, fileName);
  }
}
