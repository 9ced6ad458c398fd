import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readConfigOrExit } from '#libs/config/exit.js';
import { endOnUncaughtError, nestLogger } from '#libs/observability/logger.js';
import { stopGracefully } from '#libs/observability/stop-gracefully.js';
import { AppModule } from './app.module.js';
import { configureHttp } from './configure-http.js';

const config = readConfigOrExit();
const logger = nestLogger(config.logLevel, 'api');
endOnUncaughtError(logger);
const app = await NestFactory.create<NestExpressApplication>(AppModule.for(config), {
  bodyParser: false,
  logger,
});
configureHttp(app, config);
await app.listen(config.port, config.host);
stopGracefully(() => app.close(), config.shutdownSeconds);
