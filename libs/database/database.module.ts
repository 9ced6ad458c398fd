import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG } from '#libs/config/config.module.js';
import type { Config } from '#libs/config/environment.js';
import { waitForClose } from '#libs/resilience/policies.js';
import { openDataSource, type WaitOptions } from './data-source.js';

@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  static forRoot(program: 'api' | 'worker', waiting: WaitOptions): DynamicModule {
    const dataSource = {
      provide: DataSource,
      inject: [CONFIG],
      useFactory: ({ databaseUrl }: Config) =>
        openDataSource({ url: databaseUrl, applicationName: `pressroom-${program}` }, waiting),
    };
    return { module: DatabaseModule, providers: [dataSource], exports: [dataSource] };
  }

  async onApplicationShutdown(): Promise<void> {
    await waitForClose(() => this.dataSource.destroy());
  }
}
