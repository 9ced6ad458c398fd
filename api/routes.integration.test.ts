import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readConfig } from '#libs/config/environment.js';
import { routes } from '#libs/contract/routes/table.js';
import { testDatabase, type TestDatabase } from '../test/support/database.js';
import { allowTimeForPrograms } from '../test/support/time-limits.js';
import { AppModule } from './app.module.js';

allowTimeForPrograms();

let database: TestDatabase;
let app: NestExpressApplication;

beforeAll(async () => {
  database = await testDatabase();
  const config = readConfig({
    DATABASE_URL: database.url,
    AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
    LOG_LEVEL: 'silent',
  });
  app = await NestFactory.create<NestExpressApplication>(AppModule.for(config), { logger: false });
  await app.init();
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

const mounted = () =>
  (app.getHttpAdapter().getInstance().router.stack as Layer[]).flatMap(({ route }) =>
    route ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`) : [],
  );
const table = Object.values(routes).map(({ method, path }) => `${method} ${path}`);

it('mounts every route of the table', () => {
  expect(mounted()).toEqual(expect.arrayContaining(table));
});

it('mounts nothing under /api that the table does not have, apart from its documentation', () => {
  const documentation = /^GET \/api\/(docs(\/.*)?|openapi\.json)$/;
  const api = mounted().filter((route) => / \/api\//.test(route) && !documentation.test(route));
  expect(api.length).toBeGreaterThan(15);
  expect(table).toEqual(expect.arrayContaining(api));
});

it('has each route once', () => {
  expect(new Set(table).size).toBe(table.length);
});
