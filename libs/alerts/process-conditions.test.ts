import { NestFactory } from '@nestjs/core';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Config } from '#libs/config/environment.js';
import { breakerOpen, httpSeconds, providerSeconds, registry } from '#libs/observability/metrics.js';
import { TestClock } from '../../test/support/test-clock.ts';
import { AlertsModule } from './alerts.module.js';
import { ProcessConditions } from './process-conditions.js';

let clock: TestClock;
let lag: number;
let conditions: ProcessConditions;
beforeEach(() => {
  clock = new TestClock();
  lag = 0;
  conditions = new ProcessConditions('worker', clock, () => lag);
});
afterEach(() => registry.resetMetrics());

/** Names with those labels that do not name the process. */
const found = async () =>
  (await conditions.read()).map(({ name, labels: { job, instance, ...labels } }) => {
    expect([job, typeof instance]).toEqual(['worker', 'string']);
    return [name, ...Object.values(labels)].join(' ');
  });
const request = (count: number, status: number, seconds = 0.1, route = '/api/jobs/:id') => {
  for (let n = 0; n < count; n += 1) httpSeconds.observe({ method: 'GET', route, status }, seconds);
};
const call = (count: number, outcome: string) => {
  for (let n = 0; n < count; n += 1) providerSeconds.observe({ operation: 'chat', model: 'm', outcome }, 1);
};

it('finds requests that fail, until five minutes later', async () => {
  request(98, 200);
  request(2, 503);
  request(100, 500, 0.1, '/health/ready');
  expect(await found()).toEqual([]);
  request(1, 500);
  expect(await found()).toEqual(['ApiErrors']);
  await clock.advance(299_000);
  expect(await found()).toEqual(['ApiErrors']);
  await clock.advance(1_000);
  expect(await found()).toEqual([]);
});

it('finds slow requests, except those that wait for jobs', async () => {
  request(95, 200);
  request(5, 200, 2);
  request(50, 200, 30, '/api/ai/generate-article');
  expect(await found()).toEqual([]);
  request(1, 200, 2);
  expect(await found()).toEqual(['ApiSlow']);
});

it('finds failed calls of an AI service, open breakers and a delayed event loop', async () => {
  call(8, 'ok');
  call(2, 'passing_error');
  breakerOpen.set({ provider: 'main', kind: 'chat' }, 0);
  lag = 0.1;
  expect(await found()).toEqual([]);
  call(1, 'final_error');
  breakerOpen.set({ provider: 'main', kind: 'chat' }, 1);
  lag = 0.2;
  expect(await found()).toEqual(['ProviderErrors chat m', 'BreakerOpen main chat', 'EventLoopLag']);
});

it.each([
  ['api', 1],
  ['worker', 0],
] as const)('the %s without a receiver says so in %s lines', async (program, expected) => {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const logger = { log, warn: log, error: log };
  const config = { alerts: null } as Config;
  const app = await NestFactory.createApplicationContext(AlertsModule.forRoot(program, config), { logger });
  expect(lines.filter((line) => /ALERT_MAIL.* or ALERT_WEBHOOK_URL/.test(line))).toHaveLength(expected);
  await app.close();
});
