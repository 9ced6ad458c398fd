import { paths } from '../../../../shared/paths';
import { callAuth, textField } from './auth-call';

/** Query parameter of the page that users reach after they have paid. */
const CHECKOUT_PARAMETER = 'checkout';

export const hasReturned = (search: string) => new URLSearchParams(search).get(CHECKOUT_PARAMETER) === 'done';

const readUrl = (content: unknown) => textField(content, 'url') ?? undefined;

/** @returns the address of Stripe's page for the payment */
export const createCheckout = () =>
  callAuth('/subscription/upgrade', readUrl, {
    plan: 'premium',
    successUrl: `${paths.dashboard}?${CHECKOUT_PARAMETER}=done`,
    cancelUrl: `${paths.landing}#Plan`,
  });

/** @returns the address of Stripe's page for payment method, invoices and cancellation */
export const createPortal = () =>
  callAuth('/subscription/billing-portal', readUrl, { returnUrl: paths.dashboard });
