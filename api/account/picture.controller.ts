import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { PICTURE_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import { Route, UserId } from '../http/route.js';
import { ToolRequests } from '../tools/tool-requests.js';
import { AccountService } from './account.service.js';
import { ProfilePictures } from './profile-pictures.js';

const PICTURE = {
  input: z.object({}),
  files: {
    picture: {
      kind: 'picture',
      required: true,
      missing: 'Choose a picture.',
      maxMegapixels: PICTURE_MAX_MEGAPIXELS,
    },
  },
} as const;

@Controller()
export class PictureController {
  constructor(
    private readonly requests: ToolRequests,
    private readonly pictures: ProfilePictures,
    private readonly account: AccountService,
  ) {}

  @Route('setPicture')
  async set(
    @UserId() userId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    this.pictures.requireLocal();
    const { files } = await this.requests.read(userId, request, response, PICTURE);
    try {
      for (const { path } of files) await this.pictures.set(userId, path);
    } finally {
      await this.requests.discard(files);
    }
    return this.account.read(userId);
  }

  @Route('removePicture')
  async remove(@UserId() userId: string) {
    this.pictures.requireLocal();
    await this.pictures.remove(userId);
    return this.account.read(userId);
  }
}
