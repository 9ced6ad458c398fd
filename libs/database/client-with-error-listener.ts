import pg from 'pg';

/**
 * A connection whose errors never end the process. Between two statements of its user it has no other listener: pg-pool
 * removes its own when it gives the connection away, also when an error follows in the same bytes. The next statement
 * fails with an error of its own.
 */
export class ClientWithErrorListener extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
