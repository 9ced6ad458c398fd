import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { readConfigOrExit } from '#libs/config/exit.js';
import { stopGracefully } from '#libs/platform/process.js';
import { AppModule } from './app.module.js';
import { configureHttp } from './http/configure-http.js';

const config = readConfigOrExit();
const app = await NestFactory.create<NestExpressApplication>(AppModule.for(config), {
  bodyParser: false,
  bufferLogs: true,
});
app.useLogger(app.get(Logger));
configureHttp(app, config);
await app.listen(config.port, config.host);
stopGracefully(() => app.close(), config.shutdownSeconds);
