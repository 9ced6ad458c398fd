import { DataSource } from 'typeorm';
import { provideClass, value, valueFrom } from '#libs/config/provide-class.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { LocalModels } from '#libs/models/local-models.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { PreviewWorker, type MakePreview } from '#libs/previews/preview-worker.js';
import { StoredFiles } from '#libs/storage/stored-files.js';

/** Generates previews of object removal. Loads the image libraries on first use. */
export const previewWorker = provideClass(PreviewWorker, [
  DataSource,
  SocketServer,
  StoredFiles,
  valueFrom(LocalModels, (models): MakePreview => async (input, bytes, signal) => {
    const { previewMask } = await import('#libs/tools/remove-image-object/preview-mask.js');
    return previewMask(input, bytes, models, signal);
  }),
  value(() => logErrors('Previews')),
]);
