/** The thread of {@link import('./program-load.ts').IdleThread}, which only measures its own event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
parentPort!.on('message', () => {
  parentPort!.postMessage(delay.percentile(99) / 1e6);
  delay.reset();
});
