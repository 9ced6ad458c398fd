interface Pending {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

type Reply = { id: number; answer: unknown } | { id: number; error: string };

/**
 * Sends requests to a worker that calls {@link serveRequests}. `Answers` maps each kind of request to the type of its
 * answer.
 */
export class WorkerClient<
  Request extends { kind: string },
  Answers extends Record<Request['kind'], unknown>,
> {
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private closed = false;

  constructor(private readonly worker: Worker) {
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      const pending = this.pending.get(data.id);
      this.pending.delete(data.id);
      if ('answer' in data) pending?.resolve(data.answer as never);
      else pending?.reject(new Error(data.error));
    });
    worker.addEventListener('error', () => {
      this.rejectAll(new Error('This browser could not process the image. Reload the page and try again.'));
    });
  }

  /** @throws Error with a message for the user */
  ask<K extends Request['kind']>(request: Extract<Request, { kind: K }>): Promise<Answers[K]> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise<Answers[K]>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      if (this.closed) this.close();
      else this.worker.postMessage({ id, ...request });
    });
  }

  /** Terminates the worker. Pending requests reject. */
  close(): void {
    this.worker.terminate();
    this.closed = true;
    this.rejectAll(new Error('The image was closed. Try again.'));
  }

  private rejectAll(error: Error): void {
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
  }
}

/** Runs in a worker: answers the requests of a {@link WorkerClient}, one at a time. */
export function serveRequests<Request, Answer>(
  handle: (request: Request) => Promise<Answer>,
  transfer: (answer: Answer) => Transferable[],
): void {
  let queue = Promise.resolve();
  addEventListener('message', ({ data }: MessageEvent<Request & { id: number }>) => {
    const { id } = data;
    queue = queue.then(() =>
      handle(data).then(
        (answer) => postMessage({ id, answer }, { transfer: transfer(answer) }),
        (error: unknown) =>
          postMessage({ id, error: error instanceof Error ? error.message : String(error) }),
      ),
    );
  });
}
