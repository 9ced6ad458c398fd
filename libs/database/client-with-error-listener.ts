import pg from 'pg';

/**
 * A connection whose errors never end the process. Between two statements it would have no error listener: pg-pool
 * removes its listener when it hands the connection out, even if an error follows in the same bytes, and BullMQ removes all
 * listeners of a connection that it closes. The next statement then fails by itself.
 */
export class ClientWithErrorListener extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.listenForErrors();
  }

  override removeAllListeners(event?: string | symbol): this {
    super.removeAllListeners(event);
    this.listenForErrors();
    return this;
  }

  private listenForErrors(): void {
    if (this.listenerCount('error') === 0) this.on('error', () => undefined);
  }
}
