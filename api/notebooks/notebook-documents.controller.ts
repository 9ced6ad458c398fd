import { Body, Controller, Param, ParseUUIDPipe, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { DocumentSummaries } from '#libs/documents/document-summaries.js';
import { documentNotFound, NotebookDocuments } from '#libs/notebooks/notebook-documents.js';
import { FileContent } from '../files/content.js';
import { limitedRead, Route, UserId } from '../http/route.js';
import { NotebooksService } from './notebooks.service.js';

const uuid = new ParseUUIDPipe({ exceptionFactory: documentNotFound });
/** Not stored by the browser, so that the next user of the machine cannot see it. */
const NOT_CACHED = 'private, no-store';

@Controller()
export class NotebookDocumentsController {
  constructor(
    private readonly documents: NotebookDocuments,
    private readonly summaries: DocumentSummaries,
    private readonly service: NotebooksService,
    private readonly content: FileContent,
  ) {}

  @Route('getDocumentSummary')
  async summary(@UserId() userId: string, @Param('documentId', uuid) documentId: string) {
    const { summary } = await this.summaries.find(userId, documentId);
    return { summary };
  }

  @Route('getNotebookDocument')
  get(
    @UserId() userId: string,
    @Param('id', uuid) id: string,
    @Param('documentId', uuid) documentId: string,
  ) {
    return this.documents.get(userId, id, documentId);
  }

  @Route('changeNotebookDocument')
  async change(
    @UserId() userId: string,
    @Param('id', uuid) id: string,
    @Param('documentId', uuid) documentId: string,
    @Body({ schema: routes.changeNotebookDocument.body }) change: RouteBody<'changeNotebookDocument'>,
  ) {
    const changed = this.documents.change(userId, id, documentId, change);
    return { document: await this.service.publish(userId, changed) };
  }

  @Route('removeNotebookDocument')
  async remove(
    @UserId() userId: string,
    @Param('id', uuid) id: string,
    @Param('documentId', uuid) documentId: string,
  ) {
    await this.service.publish(userId, this.service.removeDocument(userId, id, documentId));
    return { message: 'Deleted' };
  }

  @Route('getNotebookDocumentFile')
  async file(
    @UserId() userId: string,
    @Param('id', uuid) id: string,
    @Param('documentId', uuid) documentId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await limitedRead(request, response, () => this.service.file(userId, id, documentId));
    await this.content.send(request, response, file, NOT_CACHED);
  }

  @Route('getNotebookDocumentWords')
  async words(
    @UserId() userId: string,
    @Param('id', uuid) id: string,
    @Param('documentId', uuid) documentId: string,
    @Query({ schema: routes.getNotebookDocumentWords.query })
    { page }: RouteQuery<'getNotebookDocumentWords'>,
  ) {
    return { words: await this.documents.words(userId, id, documentId, page) };
  }
}
