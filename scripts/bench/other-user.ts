/**
 * Sends another user's requests one after the other until a message arrives. In a thread, so that an attack delays them in
 * the programs only.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { OtherRequest } from './attack-cases.ts';
import { call, json } from './attack-requests.ts';
import { signUpUsers } from './users.ts';

export interface OtherUserOptions {
  address: string;
  requests: OtherRequest[];
  /** Minimum number of requests. */
  minimum: number;
}

export interface OtherAnswer {
  name: string;
  status: number;
  seconds: number;
}

/** What the thread posts: once before the first request that counts, then each answer. */
export type OtherUserMessage = 'ready' | OtherAnswer;

const { address, requests, minimum } = workerData as OtherUserOptions;
const post = (message: OtherUserMessage) => parentPort!.postMessage(message);
const signUp = async () => (await signUpUsers(address, 1))[0]!;

/** From another address each time, because sign-ins are limited by address. */
const sendOther = ({ path, body }: OtherRequest, index: number) => {
  const headers = { accept: 'text/html', 'x-forwarded-for': `203.0.113.${index % 250}` };
  if (!body) return call({ address }, path, { headers });
  const request = json(body);
  return call(user, path, { ...request, headers: { ...request.headers, ...headers } });
};

let isOver = false;
parentPort!.once('message', () => (isOver = true));
const user = { address, token: await signUp() };
// The programs compile their code with the first jobs.
for (const request of requests) await sendOther(request, 0);
post('ready');
let jobs = 0;
for (let i = 0; i < minimum || !isOver; i += 1) {
  const request = requests[i % requests.length]!;
  const { name, path } = request;
  if (path.startsWith('/api/ai/')) {
    if (jobs > 0 && jobs % 25 === 0) user.token = await signUp();
    jobs += 1;
  }
  const startedAt = performance.now();
  const status = await sendOther(request, i);
  post({ name, status, seconds: (performance.now() - startedAt) / 1_000 });
}
