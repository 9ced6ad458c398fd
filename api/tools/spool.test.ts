import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PDF_MAX_BYTES } from '#libs/contract/limits.js';
import { Spool } from './spool.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pressroom-spool-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the spool', () => {
  it('stops reading as soon as a file is too large, or of a wrong type', async () => {
    const spool = new Spool(directory);
    const read = { bytes: 0 };
    const endless = (head: string) =>
      Readable.from(
        (function* () {
          yield Buffer.from(head);
          for (;;) {
            read.bytes += 64 * 1024;
            yield Buffer.alloc(64 * 1024, 'x');
          }
        })(),
      );
    await expect(spool.take(endless('%PDF-1.7'), 'pdf')).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect(read.bytes).toBeLessThan(2 * PDF_MAX_BYTES);
    read.bytes = 0;
    await expect(spool.take(endless('MThd'), 'image')).rejects.toMatchObject({ code: 'UNSUPPORTED_FILE' });
    expect(read.bytes).toBeLessThan(PDF_MAX_BYTES);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('detects a type whose first bytes arrive one by one', async () => {
    const spool = new Spool(directory);
    const bytes = [...Buffer.from('RIFF....WEBPVP8 ')].map((byte) => Buffer.from([byte]));
    const taken = await spool.take(Readable.from(bytes), 'image');
    expect(taken).toMatchObject({ type: 'image/webp', bytes: 16 });
  });
});
