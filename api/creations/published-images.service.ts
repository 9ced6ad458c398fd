import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { Config } from '#libs/config/environment.js';
import { engineNameSchema } from '#libs/contract/engine.js';
import { queryRow } from '#libs/database/sql.js';
import { CONFIG } from '#libs/config/config.module.js';
import { StoredFiles, type FileRecord } from '#libs/storage/stored-files.js';
import { fileNotFound } from '../files/content.js';
import { publicPage, type PublishedImage } from './public-page.js';

const publishedImageSchema = z.object({
  id: z.string(),
  prompt: z.string(),
  engine: engineNameSchema,
  model: z.string().nullable(),
  created_at: z.date(),
  author: z.string(),
});

const isId = (id: string) => z.uuid().safeParse(id).success;

@Injectable()
export class PublishedImages {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: StoredFiles,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The public page of an image, undefined for one that is not published. */
  async page(id: string): Promise<string | undefined> {
    const image = isId(id) ? await this.find(id) : undefined;
    return image && publicPage(image, this.config.publicUrl);
  }

  /** The image or its thumbnail. @throws AppError NOT_FOUND for one that is not published */
  async file(id: string, kind: 'image' | 'thumbnail'): Promise<FileRecord> {
    const file = isId(id) ? await this.files.ofPublished(id, kind) : undefined;
    if (!file) throw fileNotFound();
    return file;
  }

  private async find(id: string): Promise<PublishedImage | undefined> {
    return queryRow(
      this.dataSource,
      publishedImageSchema,
      `SELECT creations.id, prompt, engine, model, creations.created_at, users.name AS author
       FROM creations JOIN users ON users.id = user_id
       WHERE creations.id = $1 AND published AND deleted_at IS NULL AND type = 'image'`,
      [id],
    );
  }
}
