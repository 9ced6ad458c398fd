import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import sharp from 'sharp';

export const costTasks = ['cut-out', 'by colour', 'fill', 'fill from around', 'by name'] as const;
export type CostTask = (typeof costTasks)[number] | 'four at once';

/** The cost of a task from JPEG to result, in its own processes. */
export interface Cost {
  seconds: number;
  /** CPU time of the task and the models. */
  cpuSeconds: number;
  /** Peak memory of the processes of the task and its models together, in megabytes. */
  peakMb: number;
}

/** The default memory of a worker's model processes (WORKER_MODEL_MEMORY_MB). */
const MODEL_MEMORY_MB = 620;

/** Measures tasks on a photograph in a given size, with a mask of a tenth of its width. */
export async function measureCosts(
  photograph: Uint8Array,
  [width, height]: [number, number],
  tasks: readonly CostTask[],
  modelsDirectory: string,
): Promise<Cost[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pressroom-quality-'));
  try {
    const [picture, mask] = [join(folder, 'picture.jpg'), join(folder, 'mask.png')];
    await sharp(photograph).resize(width, height, { fit: 'fill' }).jpeg({ quality: 92 }).toFile(picture);
    const circle = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <rect width="100%" height="100%"/><circle cx="50%" cy="20%" r="${width / 20}" fill="#fff"/></svg>`;
    await sharp(Buffer.from(circle), { unlimited: true }).png().toFile(mask);
    const program = fileURLToPath(new URL('./cost.ts', import.meta.url));
    const costs: Cost[] = [];
    for (const task of tasks) {
      const { stdout } = await execa(process.execPath, [
        program,
        task,
        modelsDirectory,
        String(MODEL_MEMORY_MB),
        picture,
        mask,
      ]);
      costs.push(JSON.parse(stdout) as Cost);
    }
    return costs;
  } finally {
    await rm(folder, { recursive: true });
  }
}
