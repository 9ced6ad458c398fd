import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';

/** Minimum milliseconds between two reads, so that one read returns many events. */
const READ_EVERY_MS = 4;

/** Reply of XREAD: the entries of each stream. `fields` alternates between field names and values. */
type Entries = [stream: string, entries: [id: string, fields: string[]][]][] | null;

interface StreamReading {
  /** Delays the first read until it resolves. */
  begins: Promise<void>;
  /** Value of the field `uid` in entries that this process wrote. */
  ownUid: () => string;
}

/**
 * Wraps XREAD of the connection on which socket.io's adapter waits for events. Limits the rate of reads, and removes the
 * fields of this process's own entries, so that the adapter skips them.
 */
export function readStreamWith(connection: Redis | Cluster, { begins, ownUid }: StreamReading): void {
  const xread = connection.xread.bind(connection) as (...given: unknown[]) => Promise<Entries>;
  let lastRead = -Infinity;
  Object.assign(connection, {
    xread: async (...given: unknown[]): Promise<Entries> => {
      await begins;
      const early = lastRead + READ_EVERY_MS - performance.now();
      if (early > 0) await pause(early);
      const read = await xread(...given);
      lastRead = performance.now();
      return read && read.map(([stream, entries]) => [stream, entries.map(withoutOwn(ownUid()))]);
    },
  });
}

const withoutOwn =
  (uid: string) =>
  ([id, fields]: [string, string[]]): [string, string[]] =>
    fields[fields.indexOf('uid') + 1] === uid ? [id, []] : [id, fields];
