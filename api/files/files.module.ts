import { Module } from '@nestjs/common';
import { FileContent } from './content.js';
import { FilesController } from './files.controller.js';

/** Stored files over HTTP. */
@Module({ controllers: [FilesController], providers: [FileContent], exports: [FileContent] })
export class FilesModule {}
