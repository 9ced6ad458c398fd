import { Body, Controller, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { notebookNotFound } from '#libs/notebooks/find-notebook.js';
import { NotebookDocuments } from '#libs/notebooks/notebook-documents.js';
import { Notebooks } from '#libs/notebooks/notebooks.js';
import { Route, UserId } from '../http/route.js';
import { NotebooksService } from './notebooks.service.js';

const notebookId = new ParseUUIDPipe({ exceptionFactory: notebookNotFound });

@Controller()
export class NotebooksController {
  constructor(
    private readonly notebooks: Notebooks,
    private readonly documents: NotebookDocuments,
    private readonly service: NotebooksService,
  ) {}

  @Route('listNotebooks')
  async list(@UserId() userId: string) {
    return { notebooks: await this.notebooks.list(userId) };
  }

  @Route('addNotebook')
  async add(
    @UserId() userId: string,
    @Body({ schema: routes.addNotebook.body }) { name }: RouteBody<'addNotebook'>,
  ) {
    return { notebook: await this.service.publish(userId, this.notebooks.add(userId, name)) };
  }

  @Route('getNotebook')
  async get(@UserId() userId: string, @Param('id', notebookId) id: string) {
    const documents = await this.documents.list(userId, id);
    return { notebook: await this.notebooks.get(userId, id), documents };
  }

  @Route('renameNotebook')
  async rename(
    @UserId() userId: string,
    @Param('id', notebookId) id: string,
    @Body({ schema: routes.renameNotebook.body }) { name }: RouteBody<'renameNotebook'>,
  ) {
    return { notebook: await this.service.publish(userId, this.notebooks.rename(userId, id, name)) };
  }

  @Route('deleteNotebook')
  async delete(@UserId() userId: string, @Param('id', notebookId) id: string) {
    await this.service.publish(userId, this.service.delete(userId, id));
    return { message: 'Deleted' };
  }

  @Route('getNotebookMessages')
  messages(
    @UserId() userId: string,
    @Param('id', notebookId) id: string,
    @Query({ schema: routes.getNotebookMessages.query }) { cursor }: RouteQuery<'getNotebookMessages'>,
  ) {
    return this.notebooks.messages(userId, id, cursor);
  }

  @Route('clearNotebookMessages')
  async clear(@UserId() userId: string, @Param('id', notebookId) id: string) {
    await this.service.publish(userId, this.notebooks.clearMessages(userId, id));
    return { message: 'Deleted' };
  }
}
