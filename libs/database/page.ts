import { PAGE_BYTES } from '#libs/contract/pagination.js';

/**
 * SQL of the common table expression `page` with the columns `id` and `fits`. It reads the expression `next`: the
 * candidates with `id`, `created_at` and `bytes`, one more than the limit. The row that fills {@link PAGE_BYTES} ends a page.
 * @param order `ORDER BY …` of both
 * @param limit SQL of the maximum number of rows
 */
export const pageOfNext = (order: string, limit: string) =>
  `page AS (
     SELECT id, created_at,
       row_number() OVER ordered <= ${limit} AND sum(bytes) OVER ordered - bytes < ${PAGE_BYTES} AS fits
     FROM next WINDOW ordered AS (${order}))`;
