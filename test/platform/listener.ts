import { io, type Socket } from 'socket.io-client';
import type { Account } from '#libs/contract/account.js';
import type { ClientEvents, JobDelta, JobPosition, JobPreview, ServerEvents } from '#libs/contract/events.js';
import type { Job } from '#libs/contract/jobs.js';

/** A user's socket, with all that it received. */
export interface Listener {
  socket: Socket<ServerEvents, ClientEvents>;
  jobs: Job[];
  deltas: JobDelta[];
  positions: JobPosition[];
  previews: JobPreview[];
  accounts: Account[];
  expiring: { seconds: number }[];
  /** The text of a job's last attempt according to its deltas. @throws Error if a piece is missing */
  textOf(jobId: string): string;
  close(): void;
}

/** Connects a socket. @throws Error as the server refused it, with `data: {code, message}` */
export async function listen(
  address: string,
  token: unknown,
  { reconnection = false } = {},
): Promise<Listener> {
  const socket: Listener['socket'] = io(address, {
    auth: { token },
    transports: ['websocket'],
    reconnection,
  });
  const listener: Listener = {
    socket,
    jobs: [],
    deltas: [],
    positions: [],
    previews: [],
    accounts: [],
    expiring: [],
    textOf: (jobId) => joined(listener.deltas.filter(({ id }) => id === jobId)),
    close: () => void socket.disconnect(),
  };
  socket.on('job', (job) => listener.jobs.push(job));
  socket.on('job:delta', (delta) => listener.deltas.push(delta));
  socket.on('job:position', (position) => listener.positions.push(position));
  socket.on('job:preview', (preview) => listener.previews.push(preview));
  socket.on('account', (account) => listener.accounts.push(account));
  socket.on('token:expiring', (notice) => listener.expiring.push(notice));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', (error) => {
      socket.disconnect();
      reject(error);
    });
  });
  return listener;
}

function joined(deltas: JobDelta[]): string {
  const last = Math.max(0, ...deltas.map(({ attempt }) => attempt));
  let text = '';
  for (const delta of deltas
    .filter(({ attempt }) => attempt === last)
    .toSorted((a, b) => a.offset - b.offset)) {
    if (delta.offset !== text.length)
      throw new Error(`A piece is missing: ${text.length} characters, then one at ${delta.offset}.`);
    text += delta.text;
  }
  return text;
}
