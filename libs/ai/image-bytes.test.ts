import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, jest } from '@jest/globals';
import { readImageBytes } from './image-bytes.js';
import { readImagesAnswer } from './images-answer.js';

const { signal } = new AbortController();
const config = { baseUrl: 'https://api.example.com/v1', apiKey: 'sk-1', imageHosts: ['images.example.com'] };
afterEach(() => void jest.restoreAllMocks());

it('fetches pictures from the hosts that the operator named, without the key', async () => {
  const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('picture'));
  for (const url of ['https://images.example.com/1.png', '/made/1.png'])
    expect(String(await readImageBytes({ url }, config, signal))).toBe('picture');
  expect(fetched.mock.calls.map(([url, init]) => [(url as URL).href, init?.headers, init?.redirect])).toEqual(
    [
      ['https://images.example.com/1.png', {}, 'manual'],
      ['https://api.example.com/made/1.png', { authorization: 'Bearer sk-1' }, 'manual'],
    ],
  );
});

it.each([
  'http://images.example.com/1.png',
  'https://images.example.com:8443/1.png',
  'https://images.example.com.evil.test/1.png',
  'https://user@169.254.169.254/latest',
  '//10.0.0.1/1.png',
  'file:///etc/passwd',
])('fetches nothing from %s', async (url) => {
  const fetched = jest.spyOn(globalThis, 'fetch');
  await expect(readImageBytes({ url }, config, signal)).rejects.toMatchObject({
    message: expect.stringContaining('AI_IMAGE_HOSTS'),
    retryable: false,
  });
  expect(fetched).not.toHaveBeenCalled();
});

it('follows no redirect, and says what the operator can do', async () => {
  const elsewhere = new Response(null, {
    status: 302,
    headers: { location: 'https://cdn.example.net/1.png' },
  });
  const fetched = jest.spyOn(globalThis, 'fetch').mockResolvedValue(elsewhere);
  await expect(
    readImageBytes({ url: 'https://images.example.com/1.png' }, config, signal),
  ).rejects.toMatchObject({ message: expect.stringContaining('AI_IMAGE_MODEL'), retryable: false });
  expect(fetched).toHaveBeenCalledTimes(1);
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

it.each([
  ['b64_json', { b64_json: base64(Buffer.from(`<?xml version="1.0"?>\n<!-- made -->\n${svg}`)) }],
  ['a data URL', { url: `data:image/svg+xml;base64,${base64(Buffer.from(svg))}` }],
  ['gzip', { b64_json: base64(gzipSync(svg)) }],
  ['UTF-16', { b64_json: base64(Buffer.from(`\ufeff${svg}`, 'utf16le')) }],
  ['bytes', { bytes: Buffer.from(svg) }],
])('refuses a drawing in SVG as %s', async (_, image) => {
  await expect(readImageBytes(image, config, signal)).rejects.toMatchObject({
    message: expect.stringContaining('SVG'),
    retryable: false,
  });
});

it.each(['image/webp', 'application/octet-stream'])('reads a picture that is sent as %s', async (type) => {
  const { image } = await readImagesAnswer(new Response('picture', { headers: { 'content-type': type } }));
  expect(String(image.bytes)).toBe('picture');
});

it('reads JSON that is sent as bytes', async () => {
  const body = JSON.stringify({ data: [{ b64_json: 'AAAA' }] });
  const headers = { 'content-type': 'application/octet-stream' };
  expect((await readImagesAnswer(new Response(body, { headers }))).image).toEqual({ b64_json: 'AAAA' });
});
