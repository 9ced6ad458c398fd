/**
 * The free plan's grant for each calendar month (UTC), in credits. It has a file of its own since the start page shows
 * it, which zod, beside it, would make heavier by a fifth.
 */
export const FREE_MONTHLY_CREDITS = 30;
