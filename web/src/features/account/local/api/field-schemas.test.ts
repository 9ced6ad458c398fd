import { expect, it } from '@jest/globals';
import { recoveryCodeSchema } from './field-schemas';

it.each([
  ['as it is shown', 'k7wd-x2mn-9pqr', 'k7wd-x2mn-9pqr'],
  ['in capitals, with spaces for hyphens', ' K7WD X2MN 9PQR ', 'k7wd-x2mn-9pqr'],
  ['without hyphens', 'k7wdx2mn9pqr', 'k7wd-x2mn-9pqr'],
  ['with dashes of a word processor', 'k7wd–x2mn‑9pqr', 'k7wd-x2mn-9pqr'],
  ['of the earlier form, in which case matters', ' OZL8i Zkgng', 'OZL8i-Zkgng'],
])('reads a recovery code %s', (_, entered, code) => {
  expect(recoveryCodeSchema.parse(entered)).toBe(code);
});

it('asks for a recovery code', () => {
  expect(recoveryCodeSchema.safeParse(' - ').error?.issues[0]?.message).toBe(
    'Enter one of your recovery codes.',
  );
});
