import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { activeTrace, inChildSpan, inSpan, setSpanAttributes, startTracing, stopTracing } from './tracing.js';

it('runs every step without a collector', async () => {
  await startTracing('pressroom-test', null);
  expect(inSpan('a step', {}, () => 7)).toBe(7);
  await expect(inChildSpan('a part', {}, async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(activeTrace()).toBeUndefined();
  setSpanAttributes({ some: 'fact' });
  await stopTracing();
});

it('imports OpenTelemetry in one file, which is loaded only with a collector', () => {
  const folder = import.meta.dirname;
  const importers = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) =>
      /from '(@opentelemetry\/|\.\/open-telemetry)/.test(readFileSync(join(folder, name), 'utf8')),
    );
  expect(importers).toEqual(['open-telemetry.ts']);
});
