import { Module } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { DataSource } from 'typeorm';
import { provideClass, value, valueFrom } from '#libs/config/provide-class.js';
import type { ImageOperation } from '#libs/contract/engine.js';
import { ImageSupport } from './image-support.js';

@Module({
  providers: [
    provideClass(ImageSupport, {
      database: DataSource,
      ai: value(({ ai }) => ai),
      log: valueFrom(PinoLogger, (logger) => ({
        lacking: (operations: readonly ImageOperation[]) =>
          logger.warn(
            { operations },
            'The AI service makes no pictures of this kind: check OPENAI_BASE_URL and AI_IMAGE_MODEL. This server makes them.',
          ),
        error: (error: unknown) =>
          logger.warn({ err: error }, 'What the AI service lacks is not shared with other processes.'),
      })),
    }),
  ],
  exports: [ImageSupport],
})
export class ImageSupportModule {}
