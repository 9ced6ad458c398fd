import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SocketServer } from '#libs/events/socket-server.js';
import { LocalModels } from '#libs/models/local-models.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { PreviewWorker } from '#libs/previews/preview-worker.js';
import { StoredFiles } from '#libs/storage/stored-files.js';

/** Makes the previews of object removal. Loads image libraries on first use. */
export const previewWorker: Provider = {
  provide: PreviewWorker,
  inject: [DataSource, SocketServer, StoredFiles, LocalModels],
  useFactory: (dataSource: DataSource, live: SocketServer, files: StoredFiles, models: LocalModels) =>
    new PreviewWorker(
      dataSource,
      live,
      files,
      async (input, bytes, signal) => {
        const { previewMask } = await import('#libs/tools/remove-image-object/preview-mask.js');
        return previewMask(input, bytes, models, signal);
      },
      logErrors('Previews'),
    ),
};
