import { afterEach, expect, it, jest } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeControls } from '#libs/observability/control-characters.js';
import { until } from '../../test/support/until.ts';
import type { BackgroundProcess } from './processes.ts';
import { ProcessOutput } from './process-output.ts';
import { CommandError, printError } from './terminal.ts';

const HOSTILE = 'one\u001b[2J\u009b31m\u0007\r\nworker   forged\u0085\u2028two';
const SHOWN = 'one\\u001b[2J\\u009b31m\\u0007\\u000d\\u000aworker   forged\\u0085\\u2028two';

afterEach(() => void jest.restoreAllMocks());

const printed = (stream: 'stdout' | 'stderr') => {
  const write = jest.spyOn(process[stream], 'write').mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => String(text)).join('');
};

it('prints what a program logs on one line, with its control characters shown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-output-'));
  const out = printed('stdout');
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  new ProcessOutput('api', join(folder, 'api.log')).follow({
    stdout,
    stderr,
  } as unknown as BackgroundProcess);
  const line = JSON.stringify({ level: 50, msg: HOSTILE, err: { message: 'a\nreason' } });
  stdout.write(`${escapeControls(line)}\n`);
  await until('it to be printed', () => out().includes('one'));
  rmSync(folder, { recursive: true });
  expect(out()).toContain(`${SHOWN}: a\\u000areason`);
  expect(out().split('\n')).toHaveLength(2);
});

it('prints an error on its own lines, with other control characters shown', () => {
  const error = printed('stderr');
  printError(new CommandError('PORT is wrong:\nnot \u001b[2J'));
  printError(new Error('odd \u009b31m'));
  expect(error()).toContain('PORT is wrong:\nnot \\u001b[2J');
  expect(error()).toContain('odd \\u009b31m');
});
