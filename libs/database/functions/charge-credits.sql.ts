/**
 * Charges `amount` for each job and writes the ledger entries, or charges nothing and returns false. Adds the month's
 * grant if it is missing. `of_key` is the API key that the jobs are started with.
 */
export const chargeCredits = `
  CREATE OR REPLACE FUNCTION charge_credits(
    of_user text, of_month date, amount integer, job_ids uuid[], monthly integer, of_key text DEFAULT NULL)
  RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    total CONSTANT integer := amount * cardinality(job_ids);
  BEGIN
    FOR attempt IN 1..2 LOOP
      UPDATE credit_balances SET balance = balance - total
        WHERE user_id = of_user AND month = of_month AND balance >= total;
      IF FOUND THEN
        INSERT INTO credit_entries (user_id, month, kind, amount, job_id, api_key_id)
          SELECT of_user, of_month, 'charge', -charge_credits.amount, id, of_key FROM unnest(job_ids) AS job (id);
        RETURN true;
      END IF;
      IF attempt = 1 THEN
        -- Creates the month's grant unless a concurrent call has created it.
        WITH opened AS (
          INSERT INTO credit_balances (user_id, month, granted, balance) VALUES (of_user, of_month, monthly, monthly)
          ON CONFLICT DO NOTHING RETURNING 1)
        INSERT INTO credit_entries (user_id, month, kind, amount, note)
          SELECT of_user, of_month, 'grant', monthly, 'monthly' FROM opened;
      END IF;
    END LOOP;
    RETURN false;
  END $$`;
