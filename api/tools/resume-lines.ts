import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from '#libs/contract/errors.js';
import { WORD_TYPE } from '#libs/contract/limits.js';
import { replaceLinesRequest, type ReplacedLines } from '#libs/contract/resume-lines.js';
import { replaceWordLines } from '#libs/documents/formats/read-file.js';
import { RateLimits } from '../http/rate-limits.js';
import { ToolRequests } from './tool-requests.js';

/** Puts tailored bullets into a resume in Word. Costs no credits and stores nothing. */
@Injectable()
export class ResumeLines {
  constructor(
    private readonly requests: ToolRequests,
    private readonly limits: RateLimits,
  ) {}

  /** @throws AppError if the request is refused or the file is unreadable */
  async replace(
    userId: string,
    request: Request,
    response: Response,
    signal: AbortSignal,
  ): Promise<ReplacedLines> {
    await this.limits.count('previews', userId, response);
    const { input, files } = await this.requests.read(userId, request, response, replaceLinesRequest);
    try {
      const [resume] = files;
      if (resume?.type !== WORD_TYPE) {
        throw new AppError(
          'UNSUPPORTED_FILE',
          'Lines can only be put into a Word document (.docx). Choose your resume as one.',
        );
      }
      const { file, ...result } = await replaceWordLines(await readFile(resume.path), input.lines, signal);
      return { ...result, file: Buffer.from(file).toString('base64') };
    } finally {
      await this.requests.discard(files);
    }
  }
}
