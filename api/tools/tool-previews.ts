import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { maskPreviewRequest, maskPreviewSchema, type MaskPreview } from '#libs/contract/object-mask.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { requireStorable } from '#libs/contract/validation.js';
import { creationNotFound } from '#libs/contract/creations.js';
import { sourceOf } from '#libs/contract/images.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { Previews } from '#libs/previews/previews.js';
import { RateLimits } from '../http/rate-limits.js';
import type { UploadedFile } from './multipart.js';
import { ToolRequests } from './tool-requests.js';

/** Free previews of what a tool would do. They cost no credits, create no job and store no file. */
@Injectable()
export class ToolPreviews {
  constructor(
    private readonly requests: ToolRequests,
    private readonly submission: JobSubmission,
    private readonly limits: RateLimits,
    private readonly previews: Previews,
    private readonly stored: StoredFiles,
  ) {}

  /** Checks plan and rate limit, then reads the body and makes the preview. @throws AppError if the request is refused */
  async mask(
    userId: string,
    request: Request,
    response: Response,
    signal: AbortSignal,
  ): Promise<MaskPreview> {
    // 0 bytes, since a preview stores nothing.
    await this.submission.checkAhead({ userId, tool: 'remove-image-object' }, 0);
    await this.limits.count('previews', userId, response);
    const { input, files } = await this.requests.read(userId, request, response, maskPreviewRequest);
    try {
      requireStorable(input);
      const upload = await this.imageOf(userId, input, files);
      return maskPreviewSchema.parse(await this.previews.make(userId, input, upload, signal));
    } finally {
      await this.requests.discard(files);
    }
  }

  /** The uploaded image, or a local copy of the creation's image. */
  private async imageOf(userId: string, input: unknown, files: UploadedFile[]) {
    const creation = sourceOf(input);
    if (creation === undefined) {
      const { type, name, sha256, path, bytes } = files.find(({ field }) => field === 'image')!;
      return { type, name, sha256, content: { path, bytes } };
    }
    await this.submission.requireSource(userId, creation);
    const picture = await this.stored.findCurrentImage(userId, creation);
    if (!picture) throw creationNotFound();
    const { type, name, sha256, key } = picture;
    return { type, name, sha256, content: await this.stored.read(key) };
  }
}
