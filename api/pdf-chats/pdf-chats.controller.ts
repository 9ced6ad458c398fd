import { Controller, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import { routes, type Answer, type RouteQuery } from '#libs/contract/routes/table.js';
import { FileContent } from '../files/content.js';
import { CurrentIdentity, Route } from '../http/route.js';
import { PdfChatsService } from './pdf-chats.service.js';

/** The browser's cache would show it to the machine's next user. */
const NOT_CACHED = 'private, no-store';

@Controller()
export class PdfChatsController {
  constructor(
    private readonly chats: PdfChatsService,
    private readonly content: FileContent,
  ) {}

  @Route('getPdfChatHistory')
  async read(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: routes.getPdfChatHistory.query })
    { file_name: name, cursor }: RouteQuery<'getPdfChatHistory'>,
  ): Promise<Answer<'getPdfChatHistory'>> {
    return name === undefined
      ? this.chats.history(userId, cursor)
      : this.chats.conversation(userId, name, cursor);
  }

  @Route('getPdfChatFile')
  async file(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: routes.getPdfChatFile.query }) { file_name: name }: RouteQuery<'getPdfChatFile'>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.content.send(request, response, await this.chats.file(userId, name), NOT_CACHED);
  }

  @Route('getPdfChatWords')
  async words(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: routes.getPdfChatWords.query }) query: RouteQuery<'getPdfChatWords'>,
  ): Promise<Answer<'getPdfChatWords'>> {
    return this.chats.words(userId, query.file_name, query.page);
  }

  @Route('clearPdfChatHistory')
  async clear(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: routes.clearPdfChatHistory.query })
    { file_name: name }: RouteQuery<'clearPdfChatHistory'>,
  ): Promise<Answer<'clearPdfChatHistory'>> {
    await this.chats.clear(userId, name);
    return { success: true, message: 'Chat history cleared' };
  }
}
