import { closeSync, openSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { addToLogContext, withLogContext } from '#libs/observability/log-context.js';
import { PinoLogger } from 'nestjs-pino';
import { createLogger, loggerOptions, toStdout } from './logger.js';

function logTo() {
  let text = '';
  const sink = new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) });
  return {
    sink,
    log: createLogger('info', 'worker', sink),
    text: () => text,
    line: () => JSON.parse(text) as object,
  };
}

describe('a log on a full disk', () => {
  it('drops lines and does not end the program', () => {
    // Simulates a full disk: every write to this device fails with ENOSPC.
    const full = openSync('/dev/full', 'w');
    const log = createLogger('info', 'worker', toStdout(full));
    for (let i = 0; i < 10_000; i += 1) log.info('a line that nobody reads'.repeat(10));
    closeSync(full);
  });
});

describe('a line of the log', () => {
  it('has the ids of its context, including later ones', async () => {
    const { log, line } = logTo();
    await withLogContext({ requestId: 'r', jobId: 'j' }, async () => {
      await Promise.resolve();
      addToLogContext({ userId: 'u' });
      log.info('at work');
    });
    expect(line()).toMatchObject({
      program: 'worker',
      requestId: 'r',
      jobId: 'j',
      userId: 'u',
      msg: 'at work',
    });
  });

  it('has no ids outside of a context', () => {
    const { log, line } = logTo();
    addToLogContext({ userId: 'u' });
    log.info('alone');
    expect(Object.keys(line())).not.toContain('userId');
  });

  it('has no duplicate key when the request’s own logger is used', () => {
    const { log, text } = logTo();
    withLogContext({ requestId: 'r', userId: 'u' }, () => log.child({ requestId: 'r' }).info('at work'));
    expect(text().match(/"requestId"/g)).toHaveLength(1);
    expect(text()).toContain('"userId":"u"');
  });

  it('escapes control characters and line ends', () => {
    const { log, text } = logTo();
    const hostile = 'a\u0000\u001b[2J\u009b31m\u0085\u007f\r\n{"level":30,"msg":"forged"}\u2028\u202eb';
    log.error({ address: hostile, err: new Error(hostile) }, hostile);
    log.child({ [hostile]: hostile }).warn({ nested: { list: [hostile] } });
    const lines = text().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe('');
    for (const line of lines.slice(0, 2)) {
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
      expect(JSON.stringify(JSON.parse(line))).toContain('forged');
    }
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: hostile, address: hostile });
  });

  it.each<[string, (sink: Writable, error: Error) => void]>([
    ['an error', (sink, error) => createLogger('info', 'api', sink).error(error)],
    ['an error with fields', (sink, error) => createLogger('info', 'api', sink).error({ err: error })],
    ['a text', (sink, error) => createLogger('info', 'api', sink).error(error.message)],
  ])('cuts the long message of %s', (kind, write) => {
    const { sink, text } = logTo();
    write(sink, new Error(`Unsupported: ${'x'.repeat(100_000)}`));
    expect((JSON.parse(text()) as { msg: string }).msg).toMatch(/^Unsupported: x{1000,}…$/);
    expect(text().length).toBeLessThan(15_000);
    if (kind !== 'a text')
      expect((JSON.parse(text()) as { err: { stack: string } }).err.stack).toMatch(/\n\s+at /);
  });

  it('has the whole of an ordinary error', () => {
    const { log, line } = logTo();
    const error = new Error('connect ECONNREFUSED 127.0.0.1:5432', { cause: new Error('x'.repeat(1_500)) });
    log.error({ err: error }, '%s of 100 %', 'half');
    expect(line()).toMatchObject({
      msg: 'half of 100 %',
      err: { message: expect.stringMatching(/x{1500}$/) },
    });
    expect(JSON.stringify(line())).not.toContain('…');
  });

  // Regression: nestjs-pino replaced our serializer, so workers logged users' texts.
  it.each<[string, (sink: Writable, error: Error) => void]>([
    [
      'our own log',
      (sink, error) =>
        createLogger('info', 'worker', sink).error(
          { err: error, prompt: 'my secret', user: { password: 'my secret' } },
          error.message,
        ),
    ],
    [
      'nestjs-pino’s',
      (sink, error) => new PinoLogger(loggerOptions('info', 'worker', sink)).error({ err: error }, 'Failed'),
    ],
  ])('logs an error without its other properties, in %s', (_, write) => {
    const { sink, text } = logTo();
    const error = Object.assign(new Error('duplicate key', { cause: new Error('the reason') }), {
      code: '23505',
      query: 'INSERT INTO jobs',
      parameters: ['my secret words'],
      driverError: { detail: 'Key (email)=(ada@example.com) exists.' },
      headers: { authorization: 'Bearer my secret' },
    });
    write(sink, error);
    expect(text()).toContain('23505');
    expect(text()).toContain('the reason');
    expect(text()).toContain('logger.test');
    expect(text()).not.toContain('my secret');
    expect(text()).not.toContain('ada@example.com');
  });
});
