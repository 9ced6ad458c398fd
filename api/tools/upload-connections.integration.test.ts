import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { json } from '../../test/support/file-product.ts';
import { until } from '../../test/support/until.ts';
import { MB, pdf, useUploads } from '../../test/support/uploads.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const uploads = useUploads();

describe('an upload that its client leaves', () => {
  it('leaves nothing behind', async () => {
    const [stored, rows] = [uploads.product.stored().length, await uploads.objects()];
    const socket = connect(uploads.product.config.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const head = requestHead(uploads.ada.token, 4 * MB);
    socket.write(`${head}--x\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\n\r\n`);
    socket.write(pdf(1 * MB));
    await until('the file is being spooled', () => uploads.product.spooled().length > 0);
    socket.destroy();
    await until('the file is gone', () => uploads.product.spooled().length === 0);
    expect([uploads.product.stored().length, await uploads.objects()]).toEqual([stored, rows]);
  });
});

describe('a client that is still sending', () => {
  it('reads the answer to a length that says it is too much, before the body', async () => {
    const socket = connect(uploads.product.config.port, '127.0.0.1');
    socket.write(requestHead(uploads.ada.token, 50 * MB));
    const answer = await answerOn(socket);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('FILE_TOO_LARGE');
    socket.destroy();
  });

  // Node destroys such a connection with its answer, and what was not read yet makes the client lose it.
  it('reads the answer when the connection is to be closed after it', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const socket = connect(uploads.product.config.port, '127.0.0.1');
      const failures: Error[] = [];
      socket.on('error', (error) => failures.push(error));
      const answer = answerOn(socket);
      const closed = once(socket, 'close');
      socket.write(requestHead(uploads.ada.token, 50 * MB, 'close'));
      for (let sent = 0; sent < 20; sent += 1) {
        if (!socket.write(Buffer.alloc(MB, 'x'))) await Promise.race([once(socket, 'drain'), closed]);
      }
      expect(await answer).toMatch(/^HTTP\/1.1 413 /);
      expect(failures).toEqual([]);
      socket.end();
      await closed;
    }
  });

  it('reads the answer while it slowly sends 50 MB', async () => {
    const socket = connect(uploads.product.config.port, '127.0.0.1');
    const failures: Error[] = [];
    socket.on('error', (error) => failures.push(error));
    let sent = 0;
    let answeredAfter: number | undefined;
    const answered = answerOn(socket).then((answer) => {
      answeredAfter = sent;
      return answer;
    });
    socket.write(requestHead(uploads.ada.token, undefined));
    socket.write(
      chunk(
        Buffer.from(
          '--x\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\n\r\n%PDF-1.7\n',
        ),
      ),
    );
    const piece = chunk(Buffer.alloc(MB, 'x'));
    while (sent < 50) {
      // Never ahead of what the other side takes in: what is asked is how much of it that is.
      if (!socket.write(piece)) await once(socket, 'drain');
      sent += 1;
      await setImmediate();
    }
    const answer = await answered;
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answeredAfter).toBeLessThan(15);
    expect(failures).toEqual([]);
    socket.destroy();
    await until('nothing is left in the spool', () => uploads.product.spooled().length === 0);
  });

  it('is cut off after a bounded amount', async () => {
    const socket = connect(uploads.product.config.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.resume();
    let sent = 0;
    socket.write(requestHead(uploads.ada.token, 1_000 * MB));
    const piece = Buffer.alloc(MB, 'x');
    while (!socket.destroyed && sent < 300) {
      if (!socket.write(piece))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
      sent += 1;
      await setImmediate();
    }
    await closed;
    expect(sent).toBeLessThan(300);
  });

  it('reads the answer with fetch and with curl', async () => {
    const big = pdf(20 * MB);
    const answer = await uploads.sendPdf(big);
    expect(answer.status).toBe(413);
    expect((await json(answer)).code).toBe('FILE_TOO_LARGE');

    const folder = mkdtempSync(join(tmpdir(), 'pressroom-curl-'));
    const path = join(folder, 'big.pdf');
    writeFileSync(path, big);
    const { stdout } = await promisify(execFile)('curl', [
      ...['-sS', '-H', `Authorization: Bearer ${uploads.ada.token}`, '-F', 'note=x', '-F', `resume=@${path}`],
      ...['-H', 'Transfer-Encoding: chunked', `${uploads.product.origin}/api/ai/probe-pdf`],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ success: false, code: 'FILE_TOO_LARGE' });
    rmSync(folder, { recursive: true });
  });
});

/** The start of a request to `probe-pdf` whose body is chunked when its length is undefined. */
function requestHead(token: string, length: number | undefined, connection = 'keep-alive'): string {
  const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return [
    'POST /api/ai/probe-pdf HTTP/1.1',
    'Host: localhost:4601',
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=x',
    size,
    `Connection: ${connection}`,
    '\r\n',
  ].join('\r\n');
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** The first answer on a connection, once its body has begun. */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
      if (/\r\n\r\n[^]+\}/.test(answer)) resolve(answer);
    });
    socket.once('close', () => reject(new Error(`The connection ended: ${answer}`)));
  });
}
