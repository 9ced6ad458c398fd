import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { query } from '../../scripts/stack/query.ts';
import { describeWithRedis } from './available.ts';
import { testDatabase } from './database.ts';
import { startRedis } from './redis.ts';

describe('testDatabase', () => {
  it('creates a migrated database for each test, in UTF-8', async () => {
    const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
    await query(one.url, `CREATE TABLE only_here (id int)`);
    await expect(query(other.url, `SELECT * FROM only_here`)).rejects.toThrow('does not exist');
    const { rows } = await query(
      other.url,
      `SELECT count(*)::int AS jobs, current_setting('server_encoding') AS encoding FROM jobs`,
    );
    expect(rows).toEqual([{ jobs: 0, encoding: 'UTF8' }]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});

describeWithRedis('startRedis', () => {
  it('is empty after a flush and a restart, and keeps its port', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    client.on('error', () => {});
    try {
      await client.set('key', 'value');
      await redis.flush();
      expect(await client.get('key')).toBeNull();
      await client.set('key', 'value');
      await redis.restart();
      expect(await client.get('key')).toBeNull();
    } finally {
      client.disconnect();
      await redis.stop();
    }
  });
});
