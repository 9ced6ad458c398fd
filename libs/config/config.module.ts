import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CONFIG, type Config } from './environment.js';

@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    const provider = { provide: CONFIG, useValue: config };
    return { module: ConfigModule, providers: [provider], exports: [provider] };
  }
}
