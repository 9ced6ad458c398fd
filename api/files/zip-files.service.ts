import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { ZipFile } from 'yazl';
import type { ZipDownload } from '#libs/storage/zip-download.js';
import { zipNames } from '#libs/storage/zip-names.js';
import { ObjectStore } from '#libs/storage/object-store.js';
import { RateLimits } from '../http/rate-limits.js';

/**
 * Streams files as a ZIP, one after the other, so that only one is in memory. yazl opens each file when it writes it, checks
 * every path, and computes the ZIP's size in advance if it has objects only.
 */
@Injectable()
export class ZipFiles {
  constructor(
    private readonly store: ObjectStore,
    private readonly limits: RateLimits,
  ) {}

  /**
   * @param isOwner whether the owner downloads it
   * @throws AppError RATE_LIMITED
   */
  async send(response: Response, { userId, name, entries }: ZipDownload, isOwner: boolean): Promise<void> {
    if (response.req.method !== 'HEAD')
      await this.limits.count('zips', `${isOwner ? 'own' : 'shared'}:${userId}`);
    const zip = new ZipFile();
    // The status may be sent already, so a failing store closes the connection.
    zip.on('error', () => response.destroy());
    let open: Readable | undefined;
    const names = zipNames(entries);
    entries.forEach((entry, index) => {
      const isText = 'read' in entry;
      // Images are compressed already.
      const options = {
        compress: isText,
        mtime: entry.modified,
        ...(!isText && { size: entry.bytes }),
      };
      const opened = isText
        ? () => entry.read().then((text) => Readable.from([Buffer.from(text)]))
        : () => this.store.open(entry.key);
      zip.addReadStreamLazy(names[index]!, options, (add) => {
        if (response.destroyed) return;
        opened().then(
          (content) => {
            open = content;
            // Destroying it may emit an error that is not handled elsewhere.
            content.once('error', (error) => zip.emit('error', error));
            if (response.destroyed) content.destroy();
            else add(null, content);
          },
          (error: unknown) => zip.emit('error', error),
        );
      });
    });
    const bytes = await new Promise<number>((resolve) => zip.end(undefined, resolve as () => void));
    response.set({
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${name}"`,
      // Unknown if the ZIP has texts, which are compressed.
      ...(bytes >= 0 && { 'Content-Length': String(bytes) }),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    // Logging, compression, tracing and draining also listen for the end, which exceeds the default limit.
    response.setMaxListeners(20);
    if (response.req.method === 'HEAD') response.end();
    else await pipeline(zip.outputStream, response).catch(() => response.destroy());
    open?.destroy();
  }
}
