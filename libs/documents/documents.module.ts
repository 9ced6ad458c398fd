import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { createDocuments } from './create-documents.js';
import { PdfChats } from './pdf-chats.js';

export const DOCUMENTS = Symbol('DOCUMENTS');

@Module({
  providers: [
    {
      provide: DOCUMENTS,
      inject: [DataSource, StoredFiles],
      useFactory: (dataSource: DataSource, files: StoredFiles) => createDocuments(dataSource, files),
    },
    {
      provide: PdfChats,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new PdfChats(dataSource),
    },
  ],
  exports: [DOCUMENTS, PdfChats],
})
export class DocumentsModule {}
