import { Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import type { ProgramEntity } from '#libs/database/entities/operations.js';
import { ProgramPresence } from './program-presence.js';

@Module({})
export class ProgramPresenceModule {
  static forRoot(kind: ProgramEntity['kind']): DynamicModule {
    return {
      module: ProgramPresenceModule,
      providers: [provideClass(ProgramPresence, [DataSource, value(() => kind)])],
    };
  }
}
