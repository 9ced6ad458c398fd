import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass } from '#libs/config/provide-class.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { createDocuments } from './create-documents.js';
import { DocumentSummaries } from './document-summaries.js';
import { PdfChats } from './pdf-chats.js';

export const DOCUMENTS = Symbol('DOCUMENTS');

@Module({
  providers: [
    {
      provide: DOCUMENTS,
      inject: [DataSource, StoredFiles],
      useFactory: (dataSource: DataSource, files: StoredFiles) => createDocuments(dataSource, files),
    },
    provideClass(PdfChats, [DataSource]),
    provideClass(DocumentSummaries, [DataSource]),
  ],
  exports: [DOCUMENTS, PdfChats, DocumentSummaries],
})
export class DocumentsModule {}
