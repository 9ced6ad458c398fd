import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface ProgramLoad {
  /** Event loop delay at the 99th percentile since the last reading, in milliseconds. */
  delayP99: number;
  /** Resident memory. */
  megabytes: number;
}

/** Reads the metrics of a program. Each reading begins a new measurement of the event loop delay. */
export async function readLoad(metricsPort: number | string): Promise<ProgramLoad> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    delayP99: read('nodejs_eventloop_lag_p99_seconds') * 1_000,
    megabytes: read('process_resident_memory_bytes') / 1024 / 1024,
  };
}

/** A thread without work: its event loop delay is the time that programs wait for a processor. */
export class IdleThread {
  private readonly thread = new Worker(new URL('idle-thread.ts', import.meta.url));

  constructor() {
    this.thread.unref();
  }

  /** Milliseconds at the 99th percentile since the last call. */
  async readDelay(): Promise<number> {
    this.thread.postMessage('read');
    const [delay] = (await once(this.thread, 'message')) as [number];
    return delay;
  }
}
