import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DataSource, Raw } from 'typeorm';
import { requireActive } from '#libs/accounts/suspension.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { ZIP_MINUTES } from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { CreationZipEntity } from '#libs/database/entities/creations.js';
import { exportUser } from '#libs/operators/export-user.js';
import { createKey, isKey } from '#libs/storage/object-key.js';
import { ObjectStore } from '#libs/storage/object-store.js';
import { prepareZip } from '../files/zip-files.service.js';
import { RateLimits } from '../http/rate-limits.js';
import { limitedRead } from '../http/route.js';

/** Exports that an api streams at once. */
const MAX_AT_ONCE = 2;

/**
 * Downloads of everything that is stored about a user. As for selected creations, the secret key in the link replaces a
 * token; the link names no creations.
 */
@Injectable()
export class AccountExports {
  private readonly running = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
    private readonly limits: RateLimits,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  /** Creates a link, which ends earlier ones. */
  async create(userId: string): Promise<{ url: string }> {
    const key = createKey();
    await this.dataSource.transaction(async (transaction) => {
      await transaction.delete(CreationZipEntity, {
        userId,
        creationIds: Raw((ids) => `cardinality(${ids}) = 0`),
      });
      await transaction.insert(CreationZipEntity, { key, userId, creationIds: [] });
    });
    return { url: `${this.config.publicUrl}/files/exports/${key}` };
  }

  /** Streams the ZIP. @throws AppError NOT_FOUND; ACCOUNT_SUSPENDED; RATE_LIMITED; UNAVAILABLE if too many are running */
  async send(key: string, response: Response): Promise<void> {
    const userId = await limitedRead(response.req, response, () => this.userOf(key));
    if (response.req.method === 'HEAD') return void response.end();
    await this.limits.count('zips', `own:${userId}`, response);
    this.requirePlace(userId);
    this.running.add(userId);
    try {
      const zip = await exportUser(this.dataSource, this.store, userId);
      prepareZip(response, `pressroom-data-${new Date().toISOString().slice(0, 10)}.zip`);
      // The status is sent already, so a failure closes the connection.
      await pipeline(zip, response).catch(() => response.destroy());
    } finally {
      this.running.delete(userId);
    }
  }

  private requirePlace(userId: string): void {
    const wait = { retryAfterSeconds: 60 };
    if (this.running.has(userId))
      throw new AppError(
        'RATE_LIMITED',
        'Another download of all data is running. Try again in a minute.',
        wait,
      );
    if (this.running.size >= MAX_AT_ONCE)
      throw new AppError(
        'UNAVAILABLE',
        'Too many downloads of all data are running. Try again in a minute.',
        wait,
      );
  }

  private async userOf(key: string): Promise<string> {
    const link = isKey(key)
      ? await this.dataSource.getRepository(CreationZipEntity).findOneBy({
          key,
          creationIds: Raw((ids) => `cardinality(${ids}) = 0`),
          createdAt: Raw((time) => `${time} > now() - interval '${ZIP_MINUTES} minutes'`),
        })
      : null;
    if (!link) throw new AppError('NOT_FOUND', 'This download is over. Ask for your data again.');
    await requireActive(this.dataSource, link.userId);
    return link.userId;
  }
}
