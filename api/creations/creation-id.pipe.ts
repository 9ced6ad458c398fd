import { Injectable, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { creationNotFound } from './creations.service.js';

/** An id that cannot be one of ours names nothing: 404, as any unknown id. */
@Injectable()
export class CreationIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!z.uuid().safeParse(id).success) throw creationNotFound();
    return id;
  }
}
