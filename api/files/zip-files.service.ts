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
 * Streams files as a ZIP without holding more than one file in memory. yazl opens each file when it writes it,
 * validates paths, and computes the ZIP's size in advance if all entries are uncompressed.
 */
@Injectable()
export class ZipFiles {
  constructor(
    private readonly store: ObjectStore,
    private readonly limits: RateLimits,
  ) {}

  /**
   * @param isOwner true if the owner downloads, false for others with the link; the two have separate rate limits
   * @throws AppError RATE_LIMITED
   */
  async send(response: Response, { userId, name, entries }: ZipDownload, isOwner: boolean): Promise<void> {
    if (response.req.method !== 'HEAD')
      await this.limits.count('zips', `${isOwner ? 'own' : 'shared'}:${userId}`, response);
    const zip = new ZipFile();
    // The status may already be sent, so close the connection if the store fails.
    zip.on('error', () => response.destroy());
    let open: Readable | undefined;
    const names = zipNames(entries);
    entries.forEach((entry, index) => {
      const isText = 'read' in entry;
      // Compress texts only, since images are already compressed.
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
            // `content.destroy()` may emit an error, which would be unhandled without this listener.
            content.once('error', (error) => zip.emit('error', error));
            if (response.destroyed) content.destroy();
            else add(null, content);
          },
          (error: unknown) => zip.emit('error', error),
        );
      });
    });
    const bytes = await new Promise<number>((resolve) => zip.end(undefined, resolve as () => void));
    prepareZip(response, name);
    // yazl returns -1 if the size is unknown, since the ZIP has compressed texts.
    if (bytes >= 0) response.set('Content-Length', String(bytes));
    if (response.req.method === 'HEAD') response.end();
    else await pipeline(zip.outputStream, response).catch(() => response.destroy());
    open?.destroy();
  }
}

/** Sets the headers of a ZIP that is streamed. */
export function prepareZip(response: Response, name: string): void {
  response.set({
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
  });
}
