/** @param credits null if their number is not known */
export const givenBack = (credits: number | null): string =>
  credits === 1 ? 'credit was given back' : `${credits === null ? '' : `${credits} `}credits were given back`;

/** The message with the number of refunded credits. Says nothing about a refund if nothing was charged. */
export const withRefund = (message: string, credits: number): string =>
  message.replace(/ Your credit was given back(?:\.|; (\w))/, (refund, next: string | undefined) => {
    if (credits > 0) return refund.replace('credit was given back', givenBack(credits));
    return next === undefined ? '' : ` ${next.toUpperCase()}`;
  });
