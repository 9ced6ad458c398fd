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
