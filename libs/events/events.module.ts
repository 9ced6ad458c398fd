import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { SocketServer } from './socket-server.js';

@Global()
@Module({
  providers: [
    {
      provide: SocketServer,
      inject: [CONFIG],
      useFactory: ({ queue, databaseUrl }: Config) =>
        SocketServer.create({ config: queue, databaseUrl, onError: logErrors('Live events') }),
    },
  ],
  exports: [SocketServer],
})
export class EventsModule implements OnApplicationShutdown {
  constructor(@Inject(SocketServer) private readonly live: SocketServer) {}

  async onApplicationShutdown(): Promise<void> {
    await this.live.close();
  }
}
