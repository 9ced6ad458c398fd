import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { Previews } from './previews.js';

@Module({
  providers: [
    {
      provide: Previews,
      inject: [DataSource, SocketServer, StoredFiles],
      useFactory: (dataSource: DataSource, live: SocketServer, files: StoredFiles) =>
        new Previews(dataSource, live, files, logErrors('Previews')),
    },
  ],
  exports: [Previews],
})
export class PreviewsModule {}
