import pg from 'pg';

/**
 * A connection whose errors never end the process. Without the listener added here, a connection may have no `error`
 * listener between two statements: pg-pool removes its listener when it hands the connection out, and BullMQ removes
 * all listeners of a connection that it closes. The next statement on a broken connection fails by itself.
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
