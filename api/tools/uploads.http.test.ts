import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  form,
  json,
  startFileProduct,
  type FileClient,
  type FileProduct,
} from '../../test/support/file-product.ts';

let product: FileProduct;
let ada: FileClient;

beforeAll(async () => {
  product = await startFileProduct({ PORT: '4601' });
  ada = await product.signUp();
});
afterAll(() => product.stop());

const pdf = (bytes = 2_000) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes - 9, 'x')]);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a tool with files', () => {
  it('hands the worker the file with its name, type and hash, and removes nothing that a job needs', async () => {
    const bytes = pdf();
    const answer = await ada.call('/api/ai/probe-pdf', {
      body: form({ note: 'hello', resume: { bytes, name: 'Lebenslauf Übersicht.pdf', type: 'text/html' } }),
    });
    const body = await json(answer);
    expect(body).toMatchObject({ success: true, message: 'Done' });
    expect(JSON.parse(body.content)).toEqual({
      name: 'Lebenslauf Übersicht.pdf',
      type: 'application/pdf',
      sha256: sha256(bytes),
      bytes: bytes.length,
    });
    expect(product.spooled()).toEqual([]);
    expect(product.stored()).toHaveLength(1);
  });

  it('answers an image with an address of ours that needs no token', async () => {
    const body = await json(await ada.call('/api/ai/probe-image', { json: { object: 'a fox' } }));
    expect(body.content).toMatch(/^http:\/\/localhost:4601\/files\/[\w-]{43}$/);
    const image = await fetch(body.content);
    expect(image.status).toBe(200);
    expect(image.headers.get('content-type')).toBe('image/png');
    const { job } = await json(await ada.call(`/api/jobs/${body.jobId}`));
    expect(job.result.content).toBe(body.content);
  });
});
