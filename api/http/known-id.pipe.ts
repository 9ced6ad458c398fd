import type { PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import type { AppError } from '#libs/contract/errors.js';

/** An id that cannot be one of ours names nothing: refused as any unknown id is. */
export class KnownIdPipe implements PipeTransform<string, string> {
  constructor(private readonly refusal: () => AppError) {}

  transform(id: string): string {
    if (!z.uuid().safeParse(id).success) throw this.refusal();
    return id;
  }
}
