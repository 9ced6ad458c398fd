/**
 * Fails if the database cannot write, and records that this program is alive. A full disk fails a write only if it needs new
 * space, which an update of a small row does not. So the first statement exceeds `work_mem` and writes a temporary file of
 * 140 kB. It does not wait for another program that writes the same row.
 */
export const checkWrites = `
  CREATE OR REPLACE FUNCTION check_writes(program text) RETURNS void LANGUAGE plpgsql
  SET work_mem = '64kB' AS $$
  BEGIN
    PERFORM count(*) FROM generate_series(1, 10000);
    UPDATE heartbeats SET beat_at = clock_timestamp()
      WHERE name = (SELECT name FROM heartbeats WHERE name = program FOR UPDATE SKIP LOCKED);
    IF NOT FOUND AND NOT EXISTS (SELECT FROM heartbeats WHERE name = program) THEN
      INSERT INTO heartbeats (name, beat_at) VALUES (program, clock_timestamp()) ON CONFLICT DO NOTHING;
    END IF;
  END $$
`;
