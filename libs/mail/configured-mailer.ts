import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { CONFIG, type Config } from '#libs/config/environment.js';
import type { Mailer } from './mailer.js';

/** The mailer of a process; null if no mail server is configured. Loads the mail library only if one is. */
export class ConfiguredMailer implements OnApplicationShutdown {
  private constructor(readonly mailer: Mailer | null) {}

  static readonly provider: FactoryProvider<ConfiguredMailer> = {
    provide: ConfiguredMailer,
    inject: [CONFIG, PinoLogger],
    async useFactory({ mail }: Config, logger: PinoLogger) {
      if (mail === null) return new ConfiguredMailer(null);
      const { Mailer } = await import('./mailer.js');
      return new ConfiguredMailer(new Mailer(mail, logger));
    },
  };

  async onApplicationShutdown(): Promise<void> {
    await this.mailer?.close();
  }
}
