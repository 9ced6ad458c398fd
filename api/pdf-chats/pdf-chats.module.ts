import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PdfChats } from '#libs/documents/pdf-chats.js';
import { FilesModule } from '../files/files.module.js';
import { PdfChatsController } from './pdf-chats.controller.js';
import { PdfChatsService } from './pdf-chats.service.js';

/** The conversations about PDF documents: read and cleared here, added to by the worker. */
@Module({
  imports: [FilesModule],
  controllers: [PdfChatsController],
  providers: [
    PdfChatsService,
    {
      provide: PdfChats,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new PdfChats(dataSource),
    },
  ],
})
export class PdfChatsModule {}
