import { Controller, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isKey } from '#libs/storage/object-key.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { limitedRead, Route } from '../http/route.js';
import { FileContent, fileNotFound } from './content.js';

const ONE_YEAR = 'private, max-age=31536000, immutable';

/** Files of results. They need no token, since an `<img>` cannot send one, and their keys cannot be guessed. */
@Controller()
export class FilesController {
  constructor(
    private readonly files: StoredFiles,
    private readonly content: FileContent,
  ) {}

  @Route('getFile')
  async get(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const file = isKey(key)
      ? await limitedRead(request, response, () => this.files.findResult(key))
      : undefined;
    if (!file) throw fileNotFound();
    await this.content.send(request, response, file, ONE_YEAR);
  }
}
