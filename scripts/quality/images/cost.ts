import { readFile } from 'node:fs/promises';
import { modelIds } from '#libs/contract/model-names.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { boxesOf, chooseObjects } from '#libs/local-engine/images/object-names.js';
import type { ModelRequest } from '#libs/local-engine/images/model-request.js';
import { LocalModels } from '#libs/models/local-models.js';
import { uNetInput } from '#libs/models/segmentation-input.js';
import type { Cost, CostTask } from './costs.ts';

/**
 * `node cost.ts <task> <folder of models> <memory for models> <picture> <mask>`: runs a task and prints its cost as JSON.
 * The memory is the sum of this process and the model processes.
 */
const [task = 'cut-out', directory = '', memoryMb = '', picture = '', maskFile = ''] = process.argv.slice(2);
const [bytes, mask] = await Promise.all([readFile(picture), readFile(maskFile)]);
const { signal } = new AbortController();
const models = new LocalModels({ directory, off: [], memoryMb: Number(memoryMb) });
const runModel = ({ use, input }: ModelRequest) =>
  models.run(use === 'segmentation' ? 'u2netp' : 'migan', input, signal);

const fill = (hole: Parameters<typeof onImageThread<'fillHoles'>>[1]['hole']) =>
  onImageThread('fillHoles', { bytes, hole }, signal, undefined, runModel);
const tasks: Record<CostTask, () => Promise<unknown>> = {
  'cut-out': () => onImageThread('cutOut', { bytes, input: uNetInput }, signal, undefined, runModel),
  'by colour': () => onImageThread('removeBackground', { bytes }, signal),
  fill: () => fill({ mask }),
  'fill from around': () => onImageThread('removeObject', { bytes, mask }, signal),
  'by name': async () => {
    const small = await onImageThread('pictureToDetect', { bytes }, signal);
    return fill({ boxes: boxesOf(chooseObjects('dog', await models.run('coco-ssd', small, signal))) });
  },
  'four at once': () =>
    Promise.all([tasks['cut-out'](), tasks['cut-out'](), tasks.fill(), tasks['by name']()]),
};

/** Clock ticks a second in /proc, and bytes in a page of memory, on every Linux that this runs on. */
const [TICKS, PAGE] = [100, 4096];

/** Resident memory and CPU time of a process; zero without /proc. */
async function usageOf(pid: number): Promise<{ bytes: number; cpuSeconds: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]];
  return { bytes: pages * PAGE, cpuSeconds: (user + system) / TICKS };
}

// The memory is sampled, because `maxRSS` starts at the parent's value when it forked.
let peak = 0;
const cpuSeconds = new Map<number, number>();
const sampling = setInterval(() => void sample(), 20);
async function sample() {
  let bytes = process.memoryUsage.rss();
  for (const pid of modelIds.map(models.pidOf)) {
    if (pid === undefined) continue;
    const usage = await usageOf(pid);
    bytes += usage.bytes;
    cpuSeconds.set(pid, Math.max(usage.cpuSeconds, cpuSeconds.get(pid) ?? 0));
  }
  peak = Math.max(peak, bytes);
}
const started = performance.now();
await tasks[task as CostTask]();
const seconds = (performance.now() - started) / 1000;
clearInterval(sampling);
const { user, system } = process.cpuUsage();
const modelSeconds = [...cpuSeconds.values()].reduce((sum, one) => sum + one, 0);
await models.close();
const cost: Cost = { seconds, cpuSeconds: (user + system) / 1e6 + modelSeconds, peakMb: peak / 1e6 };
console.log(JSON.stringify(cost));
