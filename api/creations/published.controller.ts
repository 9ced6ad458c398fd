import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { Config } from '#libs/config/environment.js';
import { row } from '#libs/database/sql.js';
import { CONFIG } from '#libs/platform/platform.module.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { Public } from '../http/public.js';
import { FileContent, fileNotFound } from '../files/content.js';
import { publicPage, withdrawnPage, type PublishedImage } from './public-page.js';

/** Short, since it must end soon after an image is withdrawn. */
const FOR_A_MINUTE = 'public, max-age=60, must-revalidate';

const isId = (id: string) => z.uuid().safeParse(id).success;

/** Published images, for everybody: a page of each, and its bytes under an address that is not the owner's. */
@Public()
@Controller('c')
export class PublishedController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: StoredFiles,
    private readonly content: FileContent,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get(':id')
  async page(@Param('id') id: string, @Res() response: Response): Promise<void> {
    const image = isId(id) ? await this.published(id) : undefined;
    response.type('html').set('Cache-Control', image ? FOR_A_MINUTE : 'no-store');
    response
      .status(image ? 200 : 404)
      .send(image ? publicPage(image, this.config.publicUrl) : withdrawnPage());
  }

  @Get(':id/image')
  async image(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.send(id, 'image', request, response);
  }

  @Get(':id/thumbnail')
  async thumbnail(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(id, 'thumbnail', request, response);
  }

  private async send(
    id: string,
    kind: 'image' | 'thumbnail',
    request: Request,
    response: Response,
  ): Promise<void> {
    const file = isId(id) ? await this.files.ofPublished(id, kind) : undefined;
    if (!file) throw fileNotFound();
    await this.content.send(request, response, file, FOR_A_MINUTE);
  }

  private async published(id: string): Promise<PublishedImage | undefined> {
    return row<PublishedImage>(
      this.dataSource,
      `SELECT creations.id, prompt, engine, creations.created_at, users.name AS author
       FROM creations JOIN users ON users.id = user_id
       WHERE creations.id = $1 AND published AND deleted_at IS NULL AND type = 'image'`,
      [id],
    );
  }
}
