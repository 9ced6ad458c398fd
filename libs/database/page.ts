import { PAGE_BYTES } from '#libs/contract/pagination.js';

/**
 * The common table expression `page`, with `id` and whether the row `fits`, over one named `next`: the candidates with
 * `id`, `created_at` and `bytes`, one more than the limit. A page ends with the row that fills {@link PAGE_BYTES}.
 * @param order `ORDER BY …` of both
 * @param limit SQL for the most rows
 */
export const pageOfNext = (order: string, limit: string) =>
  `page AS (
     SELECT id, created_at,
       row_number() OVER ordered <= ${limit} AND sum(bytes) OVER ordered - bytes < ${PAGE_BYTES} AS fits
     FROM next WINDOW ordered AS (${order}))`;
