import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isKey } from '#libs/storage/object-key.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { Public } from '../http/public.js';
import { FileContent, fileNotFound } from './content.js';

const FOR_A_YEAR = 'private, max-age=31536000, immutable';

/** What tools made, for whoever knows its address: an `<img>` can send no token, and nobody can guess the key. */
@Public()
@Controller('files')
export class FilesController {
  constructor(
    private readonly files: StoredFiles,
    private readonly content: FileContent,
  ) {}

  @Get(':key')
  async get(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const file = isKey(key) ? await this.files.ofResult(key) : undefined;
    if (!file) throw fileNotFound();
    await this.content.send(request, response, file, FOR_A_YEAR);
  }
}
