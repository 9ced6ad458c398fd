import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/contract/errors.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import type { UploadedFile } from './multipart.js';

/** Puts the files of a request into the store, for the job that is made of it. */
@Injectable()
export class Uploads {
  constructor(private readonly stored: StoredFiles) {}

  /**
   * Stores a user's files while a job is submitted that takes them by their keys. What the job does not take, since
   * it was refused or had been made before by the same request, is removed at once.
   * @param submit gets the keys by their fields
   */
  async during(
    userId: string,
    files: UploadedFile[],
    submit: (keys: Record<string, string>) => Promise<JobEntity>,
  ): Promise<JobEntity> {
    const keys: Record<string, string> = {};
    try {
      for (const { field, path, bytes, type, sha256, name } of files) {
        const content = { path, bytes };
        keys[field] = await this.stored.keep({ userId, kind: 'upload', type, name, content, sha256 });
      }
      const job = await submit(keys);
      const taken = new Set(Object.values(job.files));
      await this.remove(Object.values(keys).filter((key) => !taken.has(key)));
      return job;
    } catch (error) {
      // After any other error than a refusal the job may be there all the same; retention finds out.
      if (error instanceof AppError) await this.remove(Object.values(keys));
      throw error;
    }
  }

  /** A store that is away loses nothing: what is marked as removed goes with the next pass of retention. */
  private async remove(keys: string[]): Promise<void> {
    await this.stored.remove(keys).catch(() => undefined);
  }
}
