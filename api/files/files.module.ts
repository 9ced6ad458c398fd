import { Module } from '@nestjs/common';
import { FileContent } from './content.js';
import { FilesController } from './files.controller.js';
import { ZipFiles } from './zip-files.service.js';

@Module({
  controllers: [FilesController],
  providers: [FileContent, ZipFiles],
  exports: [FileContent, ZipFiles],
})
export class FilesModule {}
