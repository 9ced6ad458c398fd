import { Body, Controller, Param, ParseUUIDPipe } from '@nestjs/common';
import { routes, type RouteBody } from '#libs/contract/routes/table.js';
import { NotebookNotes, noteNotFound } from '#libs/notebooks/notebook-notes.js';
import { Route, UserId } from '../http/route.js';
import { NotebooksService } from './notebooks.service.js';

const uuid = new ParseUUIDPipe({ exceptionFactory: noteNotFound });

@Controller()
export class NotebookNotesController {
  constructor(
    private readonly notes: NotebookNotes,
    private readonly service: NotebooksService,
  ) {}

  @Route('listNotes')
  async list(@UserId() userId: string, @Param('id', uuid) id: string) {
    return { notes: await this.notes.list(userId, id) };
  }

  @Route('addNote')
  async add(
    @UserId() userId: string,
    @Param('id', uuid) id: string,
    @Body({ schema: routes.addNote.body }) note: RouteBody<'addNote'>,
  ) {
    return { note: await this.service.publish(userId, this.notes.add(userId, id, note)) };
  }

  @Route('changeNote')
  async change(
    @UserId() userId: string,
    @Param('id', uuid) id: string,
    @Param('noteId', uuid) noteId: string,
    @Body({ schema: routes.changeNote.body }) { content }: RouteBody<'changeNote'>,
  ) {
    return {
      note: await this.service.publish(userId, this.notes.change(userId, id, noteId, content)),
    };
  }

  @Route('deleteNote')
  async delete(
    @UserId() userId: string,
    @Param('id', uuid) id: string,
    @Param('noteId', uuid) noteId: string,
  ) {
    await this.service.publish(userId, this.notes.delete(userId, id, noteId));
    return { message: 'Deleted' };
  }

  @Route('orderNotes')
  async order(
    @UserId() userId: string,
    @Param('id', uuid) id: string,
    @Body({ schema: routes.orderNotes.body }) { ids }: RouteBody<'orderNotes'>,
  ) {
    await this.service.publish(userId, this.notes.order(userId, id, ids));
    return { message: 'Ordered' };
  }
}
