import { Module } from '@nestjs/common';
import { DocumentsModule } from '#libs/documents/documents.module.js';
import { FilesModule } from '../files/files.module.js';
import { PdfChatsController } from './pdf-chats.controller.js';
import { PdfChatsService } from './pdf-chats.service.js';

/** The conversations about PDF documents: read and cleared here, added to by the worker. */
@Module({
  imports: [DocumentsModule, FilesModule],
  controllers: [PdfChatsController],
  providers: [PdfChatsService],
})
export class PdfChatsModule {}
