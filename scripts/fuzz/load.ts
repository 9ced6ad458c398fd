import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What a program reports of itself between two readings. */
export interface Load {
  /** Milliseconds: 99 of 100 turns of the event loop came no later. */
  delayP99: number;
  megabytes: number;
}

/** Reads the metrics of programs. Each reading begins a new measurement of the event loop's delay. */
export class LoadMeter {
  private readonly ports: Record<'api' | 'worker', number>;
  /** An idle thread: as long as it waits for a processor, the programs do. */
  private readonly idle = new Worker(new URL('idle.ts', import.meta.url));
  readonly worst: Record<'api' | 'worker', Load> = {
    api: { delayP99: 0, megabytes: 0 },
    worker: { delayP99: 0, megabytes: 0 },
  };

  constructor(ports: Record<'api' | 'worker', number>) {
    this.ports = ports;
    this.idle.unref();
  }

  /** Leaves out what was before, such as the start of the programs. */
  async begin(): Promise<void> {
    await this.readAll();
  }

  async read(): Promise<void> {
    const { idle, ...loads } = await this.readAll();
    for (const name of ['api', 'worker'] as const) {
      const load = loads[name];
      const { delayP99, megabytes } = this.worst[name];
      this.worst[name] = {
        delayP99: Math.max(delayP99, load.delayP99 - idle),
        megabytes: Math.max(megabytes, load.megabytes),
      };
    }
  }

  private async readAll() {
    this.idle.postMessage('read');
    const [idle] = (await once(this.idle, 'message')) as [number];
    const { api, worker } = this.ports;
    return { idle, api: await readLoad(api), worker: await readLoad(worker) };
  }
}

async function readLoad(metricsPort: number): Promise<Load> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const text = await answer.text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    delayP99: read('nodejs_eventloop_lag_p99_seconds') * 1_000,
    megabytes: read('process_resident_memory_bytes') / 1024 / 1024,
  };
}
