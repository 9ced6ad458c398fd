import { Body, Controller, Get, Module, Param, Post, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { AuthModule } from '../../api/auth/auth.module.js';
import { CurrentIdentity, Public } from '../../api/http/route.js';
import { McpTools } from '../../api/mcp/mcp-tools.ts';
import { configureHttp } from '../../api/configure-http.js';
import { HttpModule } from '../../api/http/http.module.js';
import type { Identity } from '#libs/accounts/identity.js';
import { STRIPE } from '#libs/billing/stripe/stripe.module.js';
import { StripeSubscriptions } from '#libs/billing/stripe/subscriptions.js';
import { ConfigModule } from '#libs/config/config.module.js';
import { readConfig, type Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { createDataSource } from '#libs/database/data-source.js';

const echoSchema = z.object({ prompt: z.string({ error: 'Enter a prompt.' }).min(1, 'Enter a prompt.') });

/** Routes of every kind that the HTTP edge has to deal with, and nothing of the product. */
@Controller()
class EdgeController {
  @Get('api/me')
  me(@CurrentIdentity() identity: Identity) {
    return { success: true, identity };
  }

  @Post(['api/ai/echo', 'api/batches'])
  echo(@Body({ schema: echoSchema }) body: z.infer<typeof echoSchema>) {
    return { success: true, body };
  }

  @Public()
  @Post('api/open')
  open(@Body({ schema: echoSchema }) body: z.infer<typeof echoSchema>) {
    return { success: true, body };
  }

  @Public()
  @Get('api/fail/:kind')
  fail(@Param('kind') kind: string) {
    if (kind === 'busy') throw new AppError('QUEUE_FULL', 'Too much to do.', { retryAfterSeconds: 7 });
    if (kind === 'unavailable')
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    throw new Error('the secret reason');
  }

  @Public()
  @Get('health/live')
  live() {
    return { success: true };
  }
}

@Module({})
class EdgeAppModule {
  static with(config: Config): DynamicModule {
    return {
      module: EdgeAppModule,
      global: true,
      imports: [ConfigModule.forRoot(config), HttpModule.forRoot(config), AuthModule.forRoot(config)],
      controllers: [EdgeController],
      providers: [
        // No test of the edge calls a tool.
        { provide: McpTools, useValue: null },
        { provide: STRIPE, useValue: null },
        { provide: StripeSubscriptions, useValue: null },
        { provide: DataSource, useFactory: () => createDataSource({ url: config.databaseUrl }).initialize() },
      ],
      exports: [DataSource, STRIPE, StripeSubscriptions],
    };
  }
}

export interface EdgeApp {
  app: NestExpressApplication;
  config: Config;
  /** The origin it listens on. */
  origin: string;
  /** A call with the path; `fetch` of Node, that is, no browser. */
  call(path: string, options?: RequestInit & { token?: string; json?: unknown }): Promise<Response>;
  close(): Promise<void>;
}

/** Starts the HTTP edge with test routes behind it, on a free port, with the given variables in addition to the required ones. */
export async function startEdgeApp(
  databaseUrl: string,
  variables: Record<string, string> = {},
  webBuild?: string,
): Promise<EdgeApp> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
    PUBLIC_URL: 'http://localhost:4300',
    LOG_LEVEL: 'silent',
    ...variables,
  });
  const app = await NestFactory.create<NestExpressApplication>(EdgeAppModule.with(config), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  configureHttp(app, config, webBuild);
  await app.listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${new URL(await app.getUrl()).port}`;
  return {
    app,
    config,
    origin,
    call: (path, { token, json, ...options } = {}) => {
      const headers = new Headers(options.headers);
      if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
      if (json !== undefined) headers.set('Content-Type', 'application/json');
      const body = json === undefined ? options.body : JSON.stringify(json);
      return fetch(`${origin}${path}`, {
        method: json === undefined ? 'GET' : 'POST',
        ...options,
        headers,
        body,
      });
    },
    async close() {
      const dataSource = app.get(DataSource);
      await app.close();
      await dataSource.destroy();
    },
  };
}
