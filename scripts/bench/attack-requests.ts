import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { inParallel } from './product.ts';

export interface Caller {
  address: string;
  /** The bearer token; a stranger has none. */
  token?: string;
}

export function send({ address, token }: Caller, path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  if (token) headers.set('authorization', `Bearer ${token}`);
  // Don't reuse connections: the server may close an idle connection just as the client sends a request.
  headers.set('connection', 'close');
  return fetch(`${address}${path}`, { ...options, headers });
}

/** Stands for the HTTP status if the connection closed without an answer, as that of a rejected upload may. */
export const CLOSED = 0;

/** @returns the HTTP status */
export async function call(...request: Parameters<typeof send>): Promise<number> {
  try {
    const answer = await send(...request);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return CLOSED;
  }
}

export const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** A request whose answer does not wait for the job. */
export const withoutWaiting = (request: RequestInit): RequestInit => ({
  ...request,
  headers: { ...(request.headers as Record<string, string>), prefer: 'respond-async' },
});

export function form(files: Record<string, [name: string, bytes: Buffer]>): FormData {
  const data = new FormData();
  for (const [name, [file, bytes]] of Object.entries(files))
    data.set(name, new Blob([new Uint8Array(bytes)]), file);
  return data;
}

/** Opens an upload that announces a large body and sends nothing. */
export const holdUpload = (caller: Caller): Socket =>
  write(
    caller,
    'POST /api/ai/resume-review',
    'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n',
  );

/** Requests an answer of which nothing is read. */
export const askWithoutReading = (caller: Caller, path: string): Socket =>
  write(caller, `GET ${path}`).pause();

function write({ address, token }: Caller, request: string, headers = ''): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `${request} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n`,
  );
  return socket;
}

export const atOnce = (count: number, task: (index: number) => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => task(i)));

/** Runs tasks four at a time, because a user may have four concurrent uploads. */
export async function fourAtOnce(count: number, task: (index: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  await inParallel(count, 4, async (i) => statuses.push(await task(i)));
  return statuses;
}

/** Sends a wave of requests every second. @returns the status of each request */
export async function repeat(seconds: number, wave: () => Promise<number[]>): Promise<number[]> {
  const statuses: number[] = [];
  for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
    const [answers] = await Promise.all([wave(), pause(1_000)]);
    statuses.push(...answers);
  }
  return statuses;
}
