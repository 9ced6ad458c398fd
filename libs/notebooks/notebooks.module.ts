import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass } from '#libs/config/provide-class.js';
import { NotebookDocuments } from './notebook-documents.js';
import { NotebookNotes } from './notebook-notes.js';
import { Notebooks } from './notebooks.js';

@Module({
  providers: [
    provideClass(Notebooks, [DataSource]),
    provideClass(NotebookDocuments, [DataSource]),
    provideClass(NotebookNotes, [DataSource]),
  ],
  exports: [Notebooks, NotebookDocuments, NotebookNotes],
})
export class NotebooksModule {}
