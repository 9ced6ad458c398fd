import { basename, extname, join } from 'node:path';
import { cancelBatch } from '../generated/sdk.gen.js';
import type { BatchItem, CreateBatchData } from '../generated/types.gen.js';
import type { Pressroom } from '../pressroom.js';
import { UsageError, type Arguments } from './arguments.js';
import { exists, openFile, save } from './files.js';

/** Maximum number of pictures of one batch. */
const BATCH_MAX = 200;
const RESULT_EXTENSION = '.png';

export const batchTools = ['remove-image-background', 'remove-image-object'];

/**
 * Sends pictures as batches and saves each result under its picture's name. Pictures that have a result are skipped, so that a
 * run that broke off can be started again.
 * @returns the number of pictures without a result
 */
export async function runBatch(
  pressroom: Pressroom,
  { tool, paths, fields, out, force }: Arguments,
  { signal, report }: { signal: AbortSignal; report: (line: string) => void },
): Promise<number> {
  if (out === undefined) throw new UsageError('Give a folder for the results: --out cut/');
  const targets = paths.map((path) => ({ path, target: join(out, resultName(path)) }));
  const twice = targets.find(
    ({ target }, index) => targets.findIndex((other) => other.target === target) < index,
  );
  if (twice) throw new UsageError(`Two pictures would be saved as ${twice.target}.`);
  const waiting: typeof targets = [];
  for (const entry of targets) {
    if (!force && (await exists(entry.target)))
      report(`${entry.target} exists, skipped (--force makes it again)`);
    else waiting.push(entry);
  }
  let failures = 0;
  for (let start = 0; start < waiting.length; start += BATCH_MAX) {
    const part = waiting.slice(start, start + BATCH_MAX);
    failures += await runPart(part);
  }
  return failures;

  async function runPart(part: typeof targets): Promise<number> {
    const pictures = await Promise.all(part.map(({ path }) => openFile(path)));
    const started: { id?: string } = {};
    const saved = new Map<number, Promise<boolean>>();
    const takeResults = (items: BatchItem[]) => {
      for (const item of items) if (isEnded(item) && !saved.has(item.n)) saved.set(item.n, finish(item));
    };
    const finish = async (item: BatchItem): Promise<boolean> => {
      const { target } = part[item.n - 1]!;
      if (item.content === null) {
        if (item.state !== 'left-out') report(`${item.name}: ${item.error?.message ?? 'cancelled'}`);
        return false;
      }
      await save(target, await pressroom.download(item.content, { signal }));
      for (const { message } of item.warnings) report(`${item.name}: ${message}`);
      report(target);
      return true;
    };
    try {
      const batch = await pressroom.batch(tool as CreateBatchData['body']['tool'], pictures, {
        input: fields,
        signal,
        onStarted: ({ id }) => (started.id = id),
        onRefused: ({ name }, { message }) => report(`${name}: ${message}`),
      });
      const ended = await pressroom.waitForBatch(batch.id, {
        signal,
        onChange: ({ items }) => takeResults(items),
      });
      takeResults(ended.items);
    } catch (error) {
      if (started.id !== undefined)
        await cancelBatch({ client: pressroom.client, path: { id: started.id } }).catch(() => undefined);
      throw error;
    }
    const results = await Promise.all(saved.values());
    return part.length - results.filter(Boolean).length;
  }
}

const isEnded = ({ state }: BatchItem) => ['succeeded', 'failed', 'cancelled', 'left-out'].includes(state);

const resultName = (path: string) => basename(path, extname(path)) + RESULT_EXTENSION;
