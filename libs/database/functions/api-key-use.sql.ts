/**
 * Returns why a key may not start jobs: `revoked`, `jobs` or `credits` for its monthly caps. Null if it may. The caller
 * has locked the user, so that concurrent requests never pass a cap together.
 */
export const apiKeyRefusal = `
  CREATE OR REPLACE FUNCTION api_key_refusal(of_key text, of_month date, new_jobs integer, new_credits integer)
  RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    own record;
  BEGIN
    SELECT monthly_jobs, monthly_credits INTO own FROM api_keys
      WHERE id = of_key AND revoked_at IS NULL;
    IF NOT FOUND THEN
      RETURN 'revoked';
    END IF;
    IF own.monthly_jobs IS NOT NULL AND new_jobs + coalesce(
      (SELECT jobs FROM api_key_months WHERE api_key_id = of_key AND month = of_month), 0) > own.monthly_jobs
    THEN
      RETURN 'jobs';
    END IF;
    IF own.monthly_credits IS NOT NULL AND new_credits > 0 AND new_credits - coalesce(
      (SELECT sum(amount) FROM credit_entries WHERE api_key_id = of_key AND month = of_month), 0) > own.monthly_credits
    THEN
      RETURN 'credits';
    END IF;
    RETURN NULL;
  END $$`;

/** Records that a key started jobs, and marks their charges as made with the key. */
export const recordApiKeyUse = `
  CREATE OR REPLACE FUNCTION record_api_key_use(of_key text, of_month date, job_ids uuid[])
  RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO api_key_months AS counted (api_key_id, month, jobs) VALUES (of_key, of_month, cardinality(job_ids))
      ON CONFLICT (api_key_id, month) DO UPDATE SET jobs = counted.jobs + excluded.jobs;
    UPDATE credit_entries SET api_key_id = of_key WHERE job_id = ANY (job_ids) AND kind = 'charge';
  END $$`;
