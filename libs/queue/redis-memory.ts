import { Cluster, type Redis } from 'ioredis';

/** @returns the used part of `maxmemory`, of the fullest node; 0 without a limit */
export async function readMemoryUsed(redis: Redis | Cluster): Promise<number> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const parts = await Promise.all(
    nodes.map(async (node) => {
      const info = await node.info('memory');
      const read = (field: string) => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
      return read('maxmemory') > 0 ? read('used_memory') / read('maxmemory') : 0;
    }),
  );
  return Math.max(0, ...parts);
}
