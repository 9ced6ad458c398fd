import pg from 'pg';

/**
 * A connection whose errors never end the process. Between two statements of its user it has no other listener: pg-pool
 * removes its own when it gives the connection away, also when an error follows in the same bytes, and BullMQ removes all
 * of a connection that it closes. The next statement fails with an error of its own.
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
