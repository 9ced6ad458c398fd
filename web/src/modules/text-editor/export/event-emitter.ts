type Listener = (...values: unknown[]) => void;

/** Replaces Node's module `events` in pdfmake (alias in vite.config.ts). */
export class EventEmitter {
  private readonly listeners = new Map<string, Listener[]>();

  addListener(event: string, listener: Listener): this {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    const left = (this.listeners.get(event) ?? []).filter((one) => one !== listener);
    this.listeners.set(event, left);
    return this;
  }

  emit(event: string, ...values: unknown[]): void {
    for (const listener of this.listeners.get(event) ?? []) listener.apply(this, values);
  }
}
