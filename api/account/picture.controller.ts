import { Controller, Delete, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import type { Identity } from '#libs/accounts/identity.js';
import type { Account } from '#libs/contract/account.js';
import { CurrentIdentity } from '../http/current-identity.js';
import { ToolRequests } from '../tools/tool-requests.js';
import { accountAnswer } from './account-answer.js';
import { ProfilePictures } from './profile-pictures.js';

const PICTURE = {
  input: z.object({}),
  files: { picture: { kind: 'image', required: true, missing: 'Choose a picture.' } },
} as const;

/** The caller's own picture, with local accounts. */
@Controller('api/user/picture')
export class PictureController {
  constructor(
    private readonly requests: ToolRequests,
    private readonly pictures: ProfilePictures,
    private readonly dataSource: DataSource,
  ) {}

  @Put()
  async set(
    @CurrentIdentity() { userId }: Identity,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ success: true } & Account> {
    this.pictures.requireLocal();
    const { files } = await this.requests.read(request, response, PICTURE);
    try {
      for (const { path } of files) await this.pictures.set(userId, path);
    } finally {
      await this.requests.discard(files);
    }
    return accountAnswer(this.dataSource, userId);
  }

  @Delete()
  async remove(@CurrentIdentity() { userId }: Identity): Promise<{ success: true } & Account> {
    this.pictures.requireLocal();
    await this.pictures.remove(userId);
    return accountAnswer(this.dataSource, userId);
  }
}
