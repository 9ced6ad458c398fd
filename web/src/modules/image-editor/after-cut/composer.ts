import type { ComposerAnswer, ComposerReply, ComposerRequest, ComposerWork } from './composer-messages';

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

/** Composes images in a worker, which keeps them decoded until it is closed. */
export class Composer {
  private readonly worker = new Worker(new URL('./compose-worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private closed = false;

  constructor() {
    this.worker.addEventListener('message', ({ data }: MessageEvent<ComposerReply>) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ('answer' in data) waiting?.resolve(data.answer as never);
      else waiting?.reject(new Error(data.error));
    });
    this.worker.addEventListener('error', () => {
      this.rejectAll(new Error('This browser could not process the image. Reload the page and try again.'));
    });
  }

  /** @throws Error with a message for the user */
  ask<K extends ComposerWork['kind']>(work: Extract<ComposerWork, { kind: K }>): Promise<ComposerAnswer[K]> {
    this.lastId += 1;
    const request: ComposerRequest = { id: this.lastId, ...work };
    return new Promise<ComposerAnswer[K]>((resolve, reject) => {
      this.waiting.set(request.id, { resolve, reject });
      if (this.closed) this.close();
      else this.worker.postMessage(request);
    });
  }

  /** Pending requests fail. */
  close(): void {
    this.worker.terminate();
    this.closed = true;
    this.rejectAll(new Error('The image was closed. Try again.'));
  }

  private rejectAll(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
