import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { engineNameSchema } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import { queryRow } from '#libs/database/sql.js';
import { StoredFiles, type FileRecord } from '#libs/storage/stored-files.js';

const publishedImageSchema = z.object({
  id: z.string(),
  prompt: z.string(),
  engine: engineNameSchema,
  model: z.string().nullable(),
  created_at: z.date(),
  author: z.string(),
});

export type PublishedImage = z.infer<typeof publishedImageSchema>;

const isId = (id: string) => z.uuid().safeParse(id).success;

@Injectable()
export class PublishedImages {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: StoredFiles,
  ) {}

  /** @throws AppError NOT_FOUND if the image is not published */
  async file(id: string, kind: 'image' | 'thumbnail'): Promise<FileRecord> {
    const file = isId(id) ? await this.files.findPublished(id, kind) : undefined;
    if (!file) throw new AppError('NOT_FOUND', 'There is no such file.');
    return file;
  }

  /** @returns undefined if the image is not published */
  async find(id: string): Promise<PublishedImage | undefined> {
    if (!isId(id)) return undefined;
    return queryRow(
      this.dataSource,
      publishedImageSchema,
      `SELECT creations.id, coalesce(published_caption, prompt) AS prompt, engine, model, creations.created_at,
         coalesce(published_author, published_name, users.name) AS author
       FROM creations JOIN users ON users.id = user_id
       WHERE creations.id = $1 AND published AND deleted_at IS NULL AND type = 'image'`,
      [id],
    );
  }
}
