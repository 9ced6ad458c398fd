import type { RequestOptions } from '../generated/client/index.js';
import { cancelJob } from '../generated/sdk.gen.js';
import type { Job } from '../generated/types.gen.js';
import type { Pressroom } from '../pressroom.js';
import type { Arguments } from './arguments.js';
import { openFile, save } from './files.js';

/** Runs one job, and saves or returns its text or picture. @returns what to print */
export async function runJob(
  pressroom: Pressroom,
  { tool, fields, out, json }: Arguments,
  { signal, report }: { signal: AbortSignal; report: (line: string) => void },
): Promise<string | null> {
  const body = await bodyOf(fields);
  const start = (options: RequestOptions) =>
    pressroom.client.post({
      ...options,
      url: `/api/ai/${tool}`,
      security: [{ scheme: 'bearer', type: 'http' }],
      ...(body instanceof FormData && form),
    });
  const { id } = await pressroom.submit(start as (options: { body: unknown }) => Promise<unknown>, body, {
    signal,
  });
  let stage = '';
  const job = await pressroom
    .wait(id, {
      signal,
      onChange({ progress }) {
        if (progress.message !== stage) report(`${Math.round(progress.percent)} % ${progress.message}`);
        stage = progress.message;
      },
    })
    .catch(async (error: unknown) => {
      if (signal.aborted) await cancelJob({ client: pressroom.client, path: { id } }).catch(() => undefined);
      throw error;
    });
  const result = json ? JSON.stringify(job.result, null, 2) : await contentOf(pressroom, job, signal);
  if (out !== undefined) {
    await save(out, result);
    report(out);
    return null;
  }
  return typeof result === 'string' ? result : addressOf(job)!;
}

/** The generated client leaves the content type of a form to `fetch`. */
const form = { bodySerializer: null, headers: { 'Content-Type': null } };

async function bodyOf(fields: Record<string, string>): Promise<FormData | Record<string, unknown>> {
  const entries = Object.entries(fields);
  if (!entries.some(([, value]) => value.startsWith('@')))
    return Object.fromEntries(entries.map(([name, value]) => [name, numberOr(value)]));
  const body = new FormData();
  for (const [name, value] of entries) {
    if (value.startsWith('@')) {
      const { blob, name: fileName } = await openFile(value.slice(1));
      body.append(name, blob, fileName);
    } else body.append(name, value);
  }
  return body;
}

const numberOr = (value: string) => (/^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value);

/** Address of a result that is a picture. */
const addressOf = ({ result }: Job): string | null => {
  const { content } = result as { content?: unknown };
  return typeof content === 'string' && /^(https?:\/\/\S+)?\/files\/\S+$|^https?:\/\/\S+$/.test(content)
    ? content
    : null;
};

async function contentOf(pressroom: Pressroom, job: Job, signal: AbortSignal): Promise<string | Blob> {
  const address = addressOf(job);
  if (address !== null) return pressroom.download(address, { signal });
  const { content } = job.result as { content?: unknown };
  return typeof content === 'string' ? content : JSON.stringify(job.result, null, 2);
}
