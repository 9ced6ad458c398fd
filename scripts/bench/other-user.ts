/**
 * Runs another user's jobs one after the other until a message arrives. In a thread, so that an attack delays the jobs in
 * the programs only.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { OtherJob } from './attack-cases.ts';
import { call, json } from './attack-requests.ts';
import { signUpUsers } from './users.ts';

export interface OtherUserOptions {
  address: string;
  jobs: OtherJob[];
  /** Minimum number of jobs. */
  minimum: number;
}

/** What the thread posts: once before the first job that counts, then the duration of each. */
export type OtherUserMessage = 'ready' | { name: string; seconds: number };

const { address, jobs, minimum } = workerData as OtherUserOptions;
const post = (message: OtherUserMessage) => parentPort!.postMessage(message);
const signUp = async () => (await signUpUsers(address, 1))[0]!;

let isOver = false;
parentPort!.once('message', () => (isOver = true));
const user = { address, token: await signUp() };
// The programs compile their code with the first jobs.
for (const { path, body } of jobs) await call(user, path, json(body));
post('ready');
for (let i = 0; i < minimum || !isOver; i += 1) {
  if (i > 0 && i % 25 === 0) user.token = await signUp();
  const { name, path, body } = jobs[i % jobs.length]!;
  const startedAt = performance.now();
  const status = await call(user, path, json(body));
  if (status !== 200) throw new Error(`Another user's job was answered ${status}.`);
  post({ name, seconds: (performance.now() - startedAt) / 1_000 });
}
