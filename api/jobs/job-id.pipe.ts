import { Injectable, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';

/** An id that cannot be one of ours names nothing: 404, as any unknown id. */
@Injectable()
export class JobIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!z.uuid().safeParse(id).success) throw new AppError('NOT_FOUND', 'There is no such job.');
    return id;
  }
}
