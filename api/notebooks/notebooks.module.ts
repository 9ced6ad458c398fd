import { Module } from '@nestjs/common';
import { DocumentsModule } from '#libs/documents/documents.module.js';
import { NotebooksModule } from '#libs/notebooks/notebooks.module.js';
import { FilesModule } from '../files/files.module.js';
import { NotebookDocumentsController } from './notebook-documents.controller.js';
import { NotebookNotesController } from './notebook-notes.controller.js';
import { NotebooksController } from './notebooks.controller.js';
import { NotebooksService } from './notebooks.service.js';

/** Reads and changes notebooks. Documents, answers and texts are added by the worker. */
@Module({
  imports: [DocumentsModule, NotebooksModule, FilesModule],
  controllers: [NotebooksController, NotebookDocumentsController, NotebookNotesController],
  providers: [NotebooksService],
})
export class NotebookRoutesModule {}
