import { Module } from '@nestjs/common';
import { DocumentsModule } from '#libs/documents/documents.module.js';
import { FilesModule } from '../files/files.module.js';
import { PdfChatsController } from './pdf-chats.controller.js';
import { PdfChatsService } from './pdf-chats.service.js';

/** Reads and clears conversations about PDF documents. Messages are added by the worker. */
@Module({
  imports: [DocumentsModule, FilesModule],
  controllers: [PdfChatsController],
  providers: [PdfChatsService],
})
export class PdfChatsModule {}
