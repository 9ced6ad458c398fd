import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { alertWhileWaiting } from '#libs/alerts/alert-while-waiting.js';
import { createDataFolderOrExit, exitIfMisconfigured, readConfigOrExit } from '#libs/config/exit.js';
import { misspeltVariables } from '#libs/config/misspelt-variables.js';
import { endOnUncaughtError, nestLogger } from '#libs/observability/logger.js';
import { stopGracefully } from '#libs/observability/stop-gracefully.js';
import { AppModule } from './app.module.js';
import { configureHttp } from './configure-http.js';
import { listen } from './http/listen.js';
import { answerWhileWaiting } from './operations/waiting-server.js';

const config = readConfigOrExit();
createDataFolderOrExit(config.dataDir);
const logger = nestLogger(config.logLevel, 'api');
endOnUncaughtError(logger);
for (const line of misspeltVariables()) logger.warn(line, 'Configuration');
const stopBy = stopGracefully(config.shutdownSeconds);
const whileUnavailable = async () => {
  const ends = await Promise.all([answerWhileWaiting(config), alertWhileWaiting(config)]);
  return async () => void (await Promise.all(ends.map((end) => end())));
};
const app = await NestFactory.create<NestExpressApplication>(AppModule.for(config, { whileUnavailable }), {
  bodyParser: false,
  logger,
  abortOnError: false,
}).catch(exitIfMisconfigured);
configureHttp(app, config);
await app.init();
await listen(app.getHttpServer(), config).catch(exitIfMisconfigured);
stopBy(() => app.close());
