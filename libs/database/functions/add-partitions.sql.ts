/**
 * Adds the partition of this month, and two days before its end that of the next, to a table that is partitioned by month (UTC).
 * Called by `libs/database/partitions.ts`. The first partition has all rows before its end. Rows of a month that had no partition
 * are in the default partition, and move to the new one.
 */
export const addPartitions = `
  CREATE OR REPLACE FUNCTION add_partitions(of_table text, by_column text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    of_default CONSTANT text := of_table || '_default';
    month timestamp;
    name text;
    first_time timestamptz;
    next_time timestamptz;
  BEGIN
    FOREACH month IN ARRAY ARRAY[now() AT TIME ZONE 'UTC', (now() + interval '2 days') AT TIME ZONE 'UTC'] LOOP
      month := date_trunc('month', month);
      name := of_table || to_char(month, '_YYYY_MM');
      CONTINUE WHEN EXISTS (SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = to_regclass(of_table)
          AND (relname = name OR (relname > name AND pg_get_expr(relpartbound, inhrelid) LIKE '%MINVALUE%')));
      first_time := month AT TIME ZONE 'UTC';
      next_time := (month + interval '1 month') AT TIME ZONE 'UTC';
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', of_default);
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name, of_table);
      EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %I >= %L AND %2$I < %4$L RETURNING *) INSERT INTO %5$I SELECT * FROM moved',
        of_default, by_column, first_time, next_time, name);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', of_table, name, first_time, next_time);
    END LOOP;
  END $$`;
