import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { filesIn } from './files-in.ts';

/** Everything that a product stores: its database, Redis, folders, and the output of its programs. */
export interface Places {
  databaseUrl: string;
  redisUrl?: string;
  folders: string[];
  output: () => string;
}

/** The queues' log of ids, which Redis trims. */
const QUEUE_LOG = 'bullmq.event';

/** Every place that holds one of these ASCII texts, or the bytes of one of these files. */
export async function findTraces(places: Places, texts: string[], files: Buffer[] = []): Promise<string[]> {
  const hashes = files.map((file) => createHash('sha256').update(file).digest('hex'));
  const searched = [...texts, ...hashes];
  return [
    ...(await inDatabase(places.databaseUrl, searched)),
    ...(places.redisUrl ? await inRedis(places.redisUrl, searched) : []),
    ...(await Promise.all(places.folders.map((folder) => inFolder(folder, searched, hashes)))).flat(),
    ...searched.filter((text) => places.output().includes(text)).map((text) => `log: ${text}`),
  ];
}

/** Every row of every table as text; bytes are searched as the digits that PostgreSQL shows. */
async function inDatabase(url: string, texts: string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of tables.filter((table) => table.name !== QUEUE_LOG)) {
      const { rows } = await client.query<{ text: string }>(
        `SELECT DISTINCT searched AS text FROM ${name} t, unnest($1::text[]) AS searched
         WHERE position(searched IN t::text) > 0
            OR position(encode(convert_to(searched, 'UTF8'), 'hex') IN t::text) > 0`,
        [texts],
      );
      found.push(...rows.map(({ text }) => `${name}: ${text}`));
    }
    return found;
  } finally {
    await client.end();
  }
}

async function inRedis(url: string, texts: string[]): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const found: string[] = [];
    for (const key of await redis.keys('*')) {
      const content = key + JSON.stringify(await readKey(redis, key));
      found.push(...texts.filter((text) => content.includes(text)).map((text) => `redis ${key}: ${text}`));
    }
    return found;
  } finally {
    redis.disconnect();
  }
}

async function readKey(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, -1);
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}

async function inFolder(folder: string, texts: string[], hashes: string[]): Promise<string[]> {
  const found = await Promise.all(filesIn(folder).map((path) => inFile(path, texts, hashes)));
  return found.flat();
}

async function inFile(path: string, texts: string[], hashes: string[]): Promise<string[]> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    // The programs delete files while they are searched.
    if (error.code !== 'ENOENT') throw error;
  });
  if (!content) return [];
  const hash = createHash('sha256').update(content).digest('hex');
  const known = [...texts.filter((text) => content.includes(text)), ...hashes.filter((one) => one === hash)];
  return known.map((text) => `${path}: ${text}`);
}
