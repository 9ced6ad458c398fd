/** The free plan's monthly grant in credits. Without zod, because the start page imports this file. */
export const FREE_MONTHLY_CREDITS = 30;
