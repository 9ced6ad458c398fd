import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/contract/errors.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import type { UploadedFile } from './multipart.js';

@Injectable()
export class Uploads {
  constructor(private readonly stored: StoredFiles) {}

  /**
   * Stores the files, then submits the request with their keys. Files that no job uses, because the request was refused or
   * repeated, are deleted at once.
   * @param submit receives the keys by field; returns its result and the used keys
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
      // After any other error the job may exist; retention deletes the files if it does not.
      if (error instanceof AppError) await this.remove(Object.values(keys));
      throw error;
    }
  }

  /** If the store is unreachable, the files are marked for deletion and retention deletes them. */
  private async remove(keys: string[]): Promise<void> {
    await this.stored.remove(keys).catch(() => undefined);
  }
}
