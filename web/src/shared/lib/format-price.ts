import type { PublicConfig } from '#libs/contract/config.js';

export type Price = PublicConfig['plans']['premium']['price'];

/** Formats a price as "$12" or "€9.50". */
export const formatPrice = ({ amount, currency }: Price): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(amount);
