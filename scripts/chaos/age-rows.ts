import type { World } from './world.ts';

/** Times that retention depends on. */
const TIMES = {
  creations: ['deleted_at'],
  objects: ['created_at', 'stored_at', 'removed_at'],
  batches: ['created_at'],
  flows: ['created_at'],
  jobs: ['created_at', 'finished_at', 'result_deleted_at'],
  pdf_documents: ['used_at'],
  previews: ['created_at'],
};

/** Moves the times two days into the past. */
export async function ageRows(query: World['query']): Promise<void> {
  for (const [table, columns] of Object.entries(TIMES)) {
    const changes = columns.map((column) => `${column} = ${column} - interval '2 days'`);
    await query(`UPDATE ${table} SET ${changes.join(', ')} RETURNING 1 AS changed`);
  }
}
