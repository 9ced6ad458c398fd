import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { ObjectMissing, ObjectStore, type ByteRange } from '#libs/storage/object-store.js';
import type { FileRecord } from '#libs/storage/stored-files.js';

/** Images that a browser shows in place; anything else, such as SVG or HTML, could act in our name and is downloaded. */
const SHOWN: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };

/** Sends stored files over HTTP. */
@Injectable()
export class FileContent {
  constructor(private readonly store: ObjectStore) {}

  /**
   * Answers with a file's bytes, or a part of them (`Range`), or nothing when the caller has them (`If-None-Match`).
   * @param cacheControl who may keep it, and for how long
   */
  async send(request: Request, response: Response, file: FileRecord, cacheControl: string): Promise<void> {
    const extension = SHOWN[file.type];
    const etag = `"${file.sha256.slice(0, 32)}"`;
    response.set({
      'Content-Type': extension || file.type === 'application/pdf' ? file.type : 'application/octet-stream',
      'Content-Disposition': extension ? `inline; filename="pressroom.${extension}"` : 'attachment',
      'Cache-Control': cacheControl,
      ETag: etag,
      'Accept-Ranges': 'bytes',
      'X-Content-Type-Options': 'nosniff',
      // Whoever has the address may show it: pages of localhost and 127.0.0.1 are two origins.
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
      for (const name of ['Cache-Control', 'ETag', 'Content-Disposition', 'Content-Length', 'Content-Range'])
        response.removeHeader(name);
      throw error instanceof ObjectMissing ? fileNotFound() : error;
    }
    // What logs, compresses, traces and drains listens for the end beside the pipeline: a dozen, and no leak.
    response.setMaxListeners(20);
    // A reader that leaves, or a store that breaks off: the connection says so, the status is sent already.
    await pipeline(content, response).catch(() => response.destroy());
  }
}

export const fileNotFound = () => new AppError('NOT_FOUND', 'There is no such file.');

/** The one range asked for. Several ranges, or one of an older version (`If-Range`), are answered with the whole. */
function readRange(request: Request, bytes: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = request.header('if-range');
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const ranges = request.range(bytes);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1)
    return undefined;
  return ranges[0];
}
