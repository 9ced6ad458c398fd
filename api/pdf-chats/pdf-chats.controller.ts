import { Controller, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { routes, type RouteQuery } from '#libs/contract/routes/table.js';
import { FileContent } from '../files/content.js';
import { ClientSignal, limitedRead, Route, UserId } from '../http/route.js';
import { PdfChatsService } from './pdf-chats.service.js';

/** Not stored by the browser, so that the next user of the machine cannot see it. */
const NOT_CACHED = 'private, no-store';

@Controller()
export class PdfChatsController {
  constructor(
    private readonly chats: PdfChatsService,
    private readonly content: FileContent,
  ) {}

  @Route('getPdfChatHistory')
  read(
    @UserId() userId: string,
    @Query({ schema: routes.getPdfChatHistory.query })
    { file_name: name, cursor }: RouteQuery<'getPdfChatHistory'>,
  ) {
    return name === undefined
      ? this.chats.history(userId, cursor)
      : this.chats.conversation(userId, name, cursor);
  }

  @Route('findSamePdf')
  async same(
    @UserId() userId: string,
    @Query({ schema: routes.findSamePdf.query }) { sha256 }: RouteQuery<'findSamePdf'>,
  ) {
    return { conversations: await this.chats.findSame(userId, sha256) };
  }

  @Route('getPdfChatFile')
  async file(
    @UserId() userId: string,
    @Query({ schema: routes.getPdfChatFile.query }) { file_name: name }: RouteQuery<'getPdfChatFile'>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await limitedRead(request, response, () => this.chats.file(userId, name));
    await this.content.send(request, response, file, NOT_CACHED);
  }

  @Route('getPdfChatAttachment')
  async attachment(
    @UserId() userId: string,
    @Query({ schema: routes.getPdfChatAttachment.query })
    { file_name: fileName, name }: RouteQuery<'getPdfChatAttachment'>,
    @ClientSignal() signal: AbortSignal,
    @Res() response: Response,
  ): Promise<void> {
    const content = await this.chats.attachment(userId, fileName, name, response, signal);
    response
      .set({
        'Content-Type': 'application/pdf',
        'Content-Disposition': 'attachment',
        'Cache-Control': NOT_CACHED,
        'X-Content-Type-Options': 'nosniff',
      })
      .end(content);
  }

  @Route('getPdfChatWords')
  words(
    @UserId() userId: string,
    @Query({ schema: routes.getPdfChatWords.query }) query: RouteQuery<'getPdfChatWords'>,
  ) {
    return this.chats.words(userId, query.file_name, query.page);
  }

  @Route('clearPdfChatHistory')
  async clear(
    @UserId() userId: string,
    @Query({ schema: routes.clearPdfChatHistory.query })
    { file_name: name }: RouteQuery<'clearPdfChatHistory'>,
  ) {
    await this.chats.clear(userId, name);
    return { message: 'Chat history cleared' };
  }
}
