import { readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import type { RunnerAnswer, RunnerOptions } from './messages.js';

/*
 * The program of a model's process. It loads the model with the first request and answers requests in order. It is a
 * process, because ending a thread inside of the native runtime ends the whole worker.
 */

const options = JSON.parse(process.argv[2] ?? '') as RunnerOptions;

/** A file of the model has a wrong hash. */
class DamagedFile extends Error {}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// When memory runs out, the kernel ends this process before the worker.
if (process.platform === 'linux') await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
process.on('disconnect', () => process.exit(0));

let runtime: Promise<(input: never) => Promise<unknown>> | undefined;
process.on('message', (input) => {
  runtime ??= load();
  runtime
    .then((run) => run(input as never))
    .then(
      (output) => answer({ output }),
      (error: Error) =>
        answer({ error: error.message, ...(error instanceof DamagedFile && { isDamaged: true }) }),
    );
});

const answer = (message: RunnerAnswer) => process.send?.(message);

async function load(): Promise<(input: never) => Promise<unknown>> {
  const files = await Promise.all(
    options.files.map(async ({ path, sha256 }) => {
      const bytes = await readFile(path);
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new DamagedFile(path);
      return bytes;
    }),
  );
  switch (options.kind) {
    case 'onnx': {
      const { loadOnnx } = await import('./onnx-runtime.js');
      return loadOnnx(files[0] as Buffer, options);
    }
    case 'coco-ssd': {
      const { loadCocoSsd } = await import('./coco-ssd-runtime.js');
      return loadCocoSsd(files);
    }
    case 'tesseract': {
      const { loadTesseract } = await import('./tesseract-runtime.js');
      return loadTesseract(options.files[0]?.path ?? '');
    }
    case 'minilm': {
      const { loadEmbedding, loadMiniLm } = await import('./minilm-runtime.js');
      return options.embedding ? loadEmbedding(files, options.embedding) : loadMiniLm(files);
    }
  }
}
