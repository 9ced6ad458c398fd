import { Module } from '@nestjs/common';
import { FileContent } from './content.js';
import { FilesController } from './files.controller.js';

@Module({ controllers: [FilesController], providers: [FileContent], exports: [FileContent] })
export class FilesModule {}
