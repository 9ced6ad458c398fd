import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, expect, it, jest } from '@jest/globals';
import { ProcessOutput } from './process-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'pressroom-output-'));
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it('prints warnings, errors and what the AI service can do, and writes every line to the file', async () => {
  let printed = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const log = join(folder, 'worker.log');
  new ProcessOutput('worker', log).follow({ stdout, stderr } as never);
  const lines = [
    { level: 30, context: 'AiService', msg: 'Text of api.example.com: the model x is listed.' },
    { level: 30, context: 'Jobs', msg: 'A job ended' },
    { level: 40, msg: 'A warning' },
  ].map((line) => JSON.stringify(line));
  stdout.end(`${lines.join('\n')}\n`);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(printed).toMatch(/^\S*worker.* Text of api\.example\.com: the model x is listed\.$/m);
  expect(printed).toContain('A warning');
  expect(printed).not.toContain('A job ended');
  expect(readFileSync(log, 'utf8')).toBe(`${lines.join('\n')}\n`);
});
