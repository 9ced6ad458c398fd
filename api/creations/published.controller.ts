import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { limitedRead, Route } from '../http/route.js';
import { FileContent } from '../files/content.js';
import { publicPage, withdrawnPage } from './public-page.js';
import { PublishedImages } from '#libs/creations/published-images.service.js';

/** Short, so that an unpublished image soon disappears from caches. */
const ONE_MINUTE = 'public, max-age=60, must-revalidate';
/** The compressing middleware leaves such pages as they are: they are many and short. */
const UNCOMPRESSED = 'no-transform';

/** Published images: one page per image, and the files at public URLs that differ from the owner's URLs. */
@Controller()
export class PublishedController {
  constructor(
    private readonly images: PublishedImages,
    private readonly content: FileContent,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  @Route('getPublicPage')
  async page(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const image = await limitedRead(request, response, () => this.images.find(id));
    const page = image && publicPage(image, this.config.publicUrl);
    response
      .type('html')
      .set('Cache-Control', `${page === undefined ? 'no-store' : ONE_MINUTE}, ${UNCOMPRESSED}`);
    response.status(page === undefined ? 404 : 200).send(page ?? withdrawnPage());
  }

  @Route('getPublishedImage')
  async image(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.send(id, 'image', request, response);
  }

  @Route('getPublishedThumbnail')
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
    const file = await limitedRead(request, response, () => this.images.file(id, kind));
    await this.content.send(request, response, file, ONE_MINUTE);
  }
}
