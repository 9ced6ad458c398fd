import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';

/** Minimum milliseconds between two reads, so that many events are read together. */
const READ_EVERY_MS = 4;

/** The answer of XREAD: entries by stream. Each has an id, and alternating field names and values. */
type Entries = [stream: string, entries: [id: string, fields: string[]][]][] | null;

interface StreamReading {
  /** Reading starts after it. */
  begins: Promise<void>;
  /** This process in the field `uid` of entries. Its own entries become empty, which the adapter skips. */
  ownUid: () => string;
}

/** Changes XREAD of the connection on which socket.io's adapter waits for events of other processes. */
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
