import { PAGE_BYTES } from '#libs/contract/pagination.js';

/**
 * SQL of the common table expression `page` with the columns `id` and `fits`. The query must define the expression
 * `next`: candidate rows with `id`, `created_at` and `bytes`, one more than the limit. A page ends with the row that
 * fills `maxBytes`.
 * @param order `ORDER BY` of both expressions
 * @param limit SQL for the maximum number of rows
 */
export const pageOfNext = (order: string, limit: string, maxBytes = PAGE_BYTES) =>
  `page AS (
     SELECT id, created_at,
       row_number() OVER ordered <= ${limit} AND sum(bytes) OVER ordered - bytes < ${maxBytes} AS fits
     FROM next WINDOW ordered AS (${order}))`;
