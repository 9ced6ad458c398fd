import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { ObjectMissing, ObjectStore, type ByteRange } from '#libs/storage/object-store.js';
import type { FileRecord } from '#libs/storage/stored-files.js';

/**
 * Media types that browsers may display, with their file extensions. All other types are downloaded: SVG or HTML, for
 * example, could run scripts on this origin.
 */
const INLINE_EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** Headers to remove when an error is sent instead of the file. */
const CONTENT_HEADERS = [
  'Content-Type',
  'Content-Length',
  'Content-Range',
  'Content-Disposition',
  'Cache-Control',
  'ETag',
  'Accept-Ranges',
];

@Injectable()
export class FileContent {
  constructor(private readonly store: ObjectStore) {}

  /** Sends a file, a byte range of the file (`Range`), or 304 if the client has the current version (`If-None-Match`). */
  async send(request: Request, response: Response, file: FileRecord, cacheControl: string): Promise<void> {
    const extension = INLINE_EXTENSIONS[file.type];
    const etag = `"${file.sha256.slice(0, 32)}"`;
    response.set({
      'Content-Type': extension || file.type === 'application/pdf' ? file.type : 'application/octet-stream',
      'Content-Disposition': extension ? `inline; filename="pressroom.${extension}"` : 'attachment',
      'Cache-Control': cacheControl,
      ETag: etag,
      'Accept-Ranges': 'bytes',
      'X-Content-Type-Options': 'nosniff',
      // Allow all origins, since pages may be open on another origin than the file URLs, such as localhost and
      // 127.0.0.1.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
    });
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const range = readRange(request, file.bytes, etag);
    if (range === 'unsatisfiable') {
      response.status(416).set('Content-Range', `bytes */${file.bytes}`).end();
      return;
    }
    if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${file.bytes}`);
    response.set('Content-Length', String(range ? range.end - range.start + 1 : file.bytes));
    if (request.method === 'HEAD') response.end();
    else await this.stream(response, file.key, range);
  }

  private async stream(response: Response, key: string, range: ByteRange | undefined): Promise<void> {
    let content;
    try {
      content = await this.store.open(key, range);
    } catch (error) {
      for (const name of CONTENT_HEADERS) response.removeHeader(name);
      throw error instanceof ObjectMissing ? fileNotFound() : error;
    }
    // The status was already sent, so close the connection if the store fails.
    await pipeline(content, response).catch(() => response.destroy());
  }
}

export const fileNotFound = () => new AppError('NOT_FOUND', 'There is no such file.');

/**
 * The requested byte range. Undefined means the whole file: there is no range, there are several ranges, or `If-Range`
 * names another version of the file.
 */
function readRange(request: Request, bytes: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = request.header('if-range');
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const ranges = request.range(bytes);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1)
    return undefined;
  return ranges[0];
}
