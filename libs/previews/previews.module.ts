import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { Previews } from './previews.js';

@Module({
  providers: [
    provideClass(Previews, [DataSource, SocketServer, StoredFiles, value(() => logErrors('Previews'))]),
  ],
  exports: [Previews],
})
export class PreviewsModule {}
