import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { describeAbilities } from '#libs/ai/describe-abilities.js';
import { findImageSupport } from '#libs/ai/find-image-support.js';
import { ImageSupport } from '#libs/ai/image-support.js';
import { createDataFolderOrExit, exitIfMisconfigured, readConfigOrExit } from '#libs/config/exit.js';
import { misspeltVariables } from '#libs/config/misspelt-variables.js';
import { LocalModels } from '#libs/models/local-models.js';
import { endOnUncaughtError, nestLogger } from '#libs/observability/logger.js';
import { metricsWhileWaiting } from '#libs/observability/metrics-server.js';
import { stopGracefully } from '#libs/observability/stop-gracefully.js';
import { startWork, WorkerModule } from './worker.module.js';

const config = readConfigOrExit();
if (config.storage.kind === 'files') createDataFolderOrExit(config.storage.directory);
const logger = nestLogger(config.logLevel, 'worker');
endOnUncaughtError(logger);
for (const line of misspeltVariables()) logger.warn(line, 'Configuration');
const stopBy = stopGracefully(config.shutdownSeconds);
const app = await NestFactory.createApplicationContext(
  WorkerModule.for(config, { whileUnavailable: () => metricsWhileWaiting(config.metrics) }),
  { logger, abortOnError: false },
).catch(exitIfMisconfigured);
stopBy(() => app.close());
startWork(app);
// A worker has no HTTP port for health checks, so it tells its parent process that it is ready.
process.send?.('ready');
void app.get(LocalModels).fetchMissing();
void findImageSupport(config, app.get(ImageSupport))
  .then(() => describeAbilities(config, app.get(ImageSupport).known))
  .then((lines) => {
    for (const line of lines) logger.log(line, 'AiService');
  });
