import { Controller, Delete, Get, Query } from '@nestjs/common';
import type { z } from 'zod';
import type { Identity } from '#libs/accounts/identity.js';
import { pdfChatQuerySchema, type PdfChatHistory } from '#libs/contract/pdf-chats.js';
import { PdfChats } from '#libs/documents/pdf-chats.js';
import { CurrentIdentity } from '../auth/current-identity.js';

type PdfChatQuery = z.infer<typeof pdfChatQuerySchema>;

@Controller('api/ai/pdf-chat-history')
export class PdfChatsController {
  constructor(private readonly chats: PdfChats) {}

  /** All conversations with the messages of the latest; with `file_name` the messages of one. */
  @Get()
  async read(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: pdfChatQuerySchema }) { file_name: name }: PdfChatQuery,
  ): Promise<object> {
    return name === undefined ? this.readAll(userId) : this.readOne(userId, name);
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

  private async readAll(personId: string): Promise<object> {
    const documents = await this.chats.list(personId);
    const latest = documents[0];
    const history: PdfChatHistory = {
      message: latest ? 'Chat history loaded' : 'No previous chats found',
      files: documents.map(({ fileName }) => fileName),
      chatHistory: latest ? await this.chats.messages(personId, latest.fileName) : [],
      fileName: latest?.fileName ?? null,
      documents,
    };
    return { success: true, ...history };
  }

  private async readOne(personId: string, name: string): Promise<object> {
    const chatHistory = await this.chats.messages(personId, name);
    return { success: true, message: 'Chat history loaded', chatHistory, fileName: name };
  }
}
