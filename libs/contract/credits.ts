/**
 * The free plan's grant for each calendar month (UTC), in credits. In a file of its own, without zod, because the start
 * page imports it.
 */
export const FREE_MONTHLY_CREDITS = 30;
