import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';

/** Milliseconds between two reads. What comes after a pause is read at once; of a flood many events are read together. */
const READ_EVERY_MS = 4;

/** What a read of a stream answers: by stream its entries, each an id and its fields with their values in turn. */
type Entries = [stream: string, entries: [id: string, fields: string[]][]][] | null;

interface StreamReading {
  /** Nothing is read before that. */
  begins: Promise<void>;
  /** Names this process in the field `uid` of an entry; its own entries are left empty, which the adapter skips. */
  ownUid: () => string;
}

/** Changes how the connection reads on which socket.io's adapter waits for the events of other processes. */
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
