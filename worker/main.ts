import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { readConfigOrExit } from '#libs/config/exit.js';
import { endOnUncaughtError, nestLogger } from '#libs/observability/logger.js';
import { stopGracefully } from '#libs/observability/stop-gracefully.js';
import { LocalModels } from '#libs/models/local-models.js';
import { startWork, WorkerModule } from './worker.module.js';

const config = readConfigOrExit();
const logger = nestLogger(config.logLevel, 'worker');
endOnUncaughtError(logger);
const app = await NestFactory.createApplicationContext(WorkerModule.for(config), {
  logger,
});
stopGracefully(() => app.close(), config.shutdownSeconds);
startWork(app);
// Nothing asks a worker over HTTP, so it tells its starter.
process.send?.('ready');
void app.get(LocalModels).fetchMissing();
