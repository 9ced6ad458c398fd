import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** Compressed texts by their content, the latest last. The same few texts are requested again and again. */
const compressedTexts = new Map<string, Buffer>();
const COMPRESSED_TEXTS_MAX = 100;

/**
 * Sends a text, compressed by gzip if the client accepts it; its type must be set before. A stream of the compressing
 * middleware needs a megabyte for each of many clients that read slowly.
 */
export function sendCompressed(request: Request, response: Response, text: string): void {
  response.vary('Accept-Encoding');
  if (!request.acceptsEncodings('gzip')) return void response.send(text);
  const body = compressedTexts.get(text) ?? gzipSync(text);
  compressedTexts.delete(text);
  compressedTexts.set(text, body);
  if (compressedTexts.size > COMPRESSED_TEXTS_MAX)
    compressedTexts.delete(compressedTexts.keys().next().value!);
  response.setHeader('Content-Encoding', 'gzip').send(body);
}
