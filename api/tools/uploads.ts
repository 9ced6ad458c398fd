import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/contract/errors.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import type { UploadedFile } from './multipart.js';

@Injectable()
export class Uploads {
  constructor(private readonly stored: StoredFiles) {}

  /**
   * Stores files, then calls `submit` with their keys. Files that no job uses, because the request was refused or
   * repeated, are deleted at once.
   * @param submit receives the keys by field; returns its result with the keys that a job uses
   */
  async during<Result extends { files: Record<string, string> }>(
    userId: string,
    files: UploadedFile[],
    submit: (keys: Record<string, string>) => Promise<Result>,
  ): Promise<Result> {
    const keys: Record<string, string> = {};
    try {
      for (const { field, path, bytes, type, sha256, name } of files) {
        const content = { path, bytes };
        keys[field] = await this.stored.add({ userId, kind: 'upload', type, name, content, sha256 });
      }
      const result = await submit(keys);
      const used = new Set(Object.values(result.files));
      await this.remove(Object.values(keys).filter((key) => !used.has(key)));
      return result;
    } catch (error) {
      // After any other error the job may exist, so keep the files. If there is no job, retention deletes them.
      if (error instanceof AppError) await this.remove(Object.values(keys));
      throw error;
    }
  }

  /** Ignores an unreachable store: the files are already marked for deletion, and retention deletes them. */
  private async remove(keys: string[]): Promise<void> {
    await this.stored.remove(keys).catch(() => undefined);
  }
}
