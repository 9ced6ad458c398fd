import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass } from '#libs/config/provide-class.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { onScrape } from '#libs/observability/metrics.js';
import { createObjectStore } from './create-object-store.js';
import { DiskSpace } from './disk-space.js';
import { ObjectStore } from './object-store.js';
import { StoredFiles } from './stored-files.js';

@Global()
@Module({
  providers: [
    {
      provide: ObjectStore,
      inject: [CONFIG],
      useFactory: ({ storage }: Config) => createObjectStore(storage),
    },
    provideClass(StoredFiles, [DataSource, ObjectStore]),
    {
      provide: DiskSpace,
      inject: [CONFIG],
      useFactory: ({ dataDir, storage, minFreeDiskBytes }: Config) => {
        const disk = new DiskSpace(
          storage.kind === 'files' ? [dataDir, storage.directory] : [dataDir],
          minFreeDiskBytes,
        );
        onScrape(() => disk.collect());
        return disk;
      },
    },
  ],
  exports: [ObjectStore, StoredFiles, DiskSpace],
})
export class StorageModule {}
