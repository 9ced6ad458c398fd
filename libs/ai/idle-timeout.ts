/** Aborts `signal` unless it is restarted within the given time. */
export class IdleTimeout {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(seconds: number): void {
    this.stop();
    this.timer = setTimeout(() => this.controller.abort(), seconds * 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
