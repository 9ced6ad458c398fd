import { Controller, Delete, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Identity } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { pdfChatQuerySchema, pdfFileQuerySchema, type PdfChatHistory } from '#libs/contract/pdf-chats.js';
import { PdfChats } from '#libs/documents/pdf-chats.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { CurrentIdentity } from '../http/current-identity.js';
import { FileContent } from '../files/content.js';

type PdfChatQuery = z.infer<typeof pdfChatQuerySchema>;

/** Only for its owner, and not in a browser's cache: the next user at this machine must not find it there. */
const NOT_KEPT = 'private, no-store';

@Controller('api/ai/pdf-chat-history')
export class PdfChatsController {
  constructor(
    private readonly chats: PdfChats,
    private readonly files: StoredFiles,
    private readonly content: FileContent,
  ) {}

  /** All conversations with the messages of the latest; with `file_name` the messages of one. */
  @Get()
  async read(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: pdfChatQuerySchema }) { file_name: name }: PdfChatQuery,
  ): Promise<object> {
    return name === undefined ? this.readAll(userId) : this.readOne(userId, name);
  }

  /** The PDF that a conversation is about. */
  @Get('file')
  async file(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: pdfFileQuerySchema }) { file_name: name }: z.infer<typeof pdfFileQuerySchema>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.files.ofDocument(userId, name);
    if (!file) throw new AppError('NOT_FOUND', 'The file of this document is not kept here.');
    await this.content.send(request, response, file, NOT_KEPT);
  }

  /** Clears all conversations, or the one about `file_name`. */
  @Delete()
  async clear(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: pdfChatQuerySchema }) { file_name: name }: PdfChatQuery,
  ): Promise<object> {
    await this.chats.clear(userId, name);
    return { success: true, message: 'Chat history cleared' };
  }

  private async readAll(userId: string): Promise<object> {
    const documents = await this.chats.list(userId);
    const latest = documents[0];
    const history: PdfChatHistory = {
      message: latest ? 'Chat history loaded' : 'No previous chats found',
      files: documents.map(({ fileName }) => fileName),
      chatHistory: latest ? await this.chats.messages(userId, latest.fileName) : [],
      fileName: latest?.fileName ?? null,
      documents,
    };
    return { success: true, ...history };
  }

  private async readOne(userId: string, name: string): Promise<object> {
    const chatHistory = await this.chats.messages(userId, name);
    return { success: true, message: 'Chat history loaded', chatHistory, fileName: name };
  }
}
