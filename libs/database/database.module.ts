import {
  Global,
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { waitForClose } from '#libs/resilience/policies.js';
import { outdatedFunctions } from './functions/functions.js';
import { openDataSource, type WaitOptions } from './data-source.js';

@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  static forRoot(program: 'api' | 'worker', waiting: WaitOptions): DynamicModule {
    const dataSource = {
      provide: DataSource,
      inject: [CONFIG],
      useFactory: async ({ databaseUrl, databasePooling: pooling }: Config) => {
        const options = { url: databaseUrl, pooling, applicationName: `pressroom-${program}` };
        const opened = await openDataSource(options, waiting);
        await warnOfOutdatedFunctions(opened);
        return opened;
      },
    };
    return { module: DatabaseModule, providers: [dataSource], exports: [dataSource] };
  }

  async onApplicationShutdown(): Promise<void> {
    await waitForClose(() => this.dataSource.destroy());
  }
}

/** Only warns, since during a deployment another version of the program uses the same database. */
async function warnOfOutdatedFunctions(dataSource: DataSource): Promise<void> {
  const logger = new Logger('Database');
  try {
    const names = await outdatedFunctions(dataSource);
    if (names.length > 0)
      logger.warn(`Functions of the database are of another version, migrate it: ${names.join(', ')}`);
  } catch (error) {
    logger.warn(`The functions of the database were not checked: ${(error as Error).message}`);
  }
}
