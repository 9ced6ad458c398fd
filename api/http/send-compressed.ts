import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compress = promisify(gzip);

/** Compressed texts by their content, the latest last. The same few texts are requested again and again. */
const compressedTexts = new Map<string, Promise<Buffer>>();
const COMPRESSED_TEXTS_MAX = 100;

/**
 * Sends one of few texts, compressed by gzip if the client accepts it; its type must be set before. A stream of the
 * compressing middleware needs a megabyte for each of many clients that read slowly.
 */
export async function sendCompressed(request: Request, response: Response, text: string): Promise<void> {
  response.vary('Accept-Encoding');
  if (!request.acceptsEncodings('gzip')) return void response.send(text);
  const body = await compressOnce(text);
  response.setHeader('Content-Encoding', 'gzip').send(body);
}

function compressOnce(text: string): Promise<Buffer> {
  const body = compressedTexts.get(text) ?? compress(text);
  compressedTexts.delete(text);
  compressedTexts.set(text, body);
  body.catch(() => compressedTexts.delete(text));
  if (compressedTexts.size > COMPRESSED_TEXTS_MAX)
    compressedTexts.delete(compressedTexts.keys().next().value!);
  return body;
}
