import { commonPasswords } from '#libs/config/secret-strength.js';
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '#libs/contract/account.js';

export interface PasswordOwner {
  name: string;
  email: string;
}

export type PasswordRefusal =
  | 'PASSWORD_TOO_SHORT'
  | 'PASSWORD_TOO_LONG'
  | 'PASSWORD_NO_TEXT'
  | 'PASSWORD_TOO_COMMON'
  | 'PASSWORD_ABOUT_OWNER';

/** Attackers try the product's name as a password. */
const PRODUCT_NAME = 'Pressroom';

/**
 * Checks a new password. Rejects passwords that attackers try first. Does not require digits or symbols, because users
 * satisfy such rules with passwords like `Password1!`.
 * @returns the reason for a rejection; null if the password is acceptable
 */
export function refuseNewPassword(password: string, owner: PasswordOwner): PasswordRefusal | null {
  const { length } = Array.from(password);
  if (length < PASSWORD_MIN_CHARACTERS) return 'PASSWORD_TOO_SHORT';
  if (length > PASSWORD_MAX_CHARACTERS) return 'PASSWORD_TOO_LONG';
  // Unpaired surrogates would all be hashed as the same character, U+FFFD.
  if (!password.isWellFormed()) return 'PASSWORD_NO_TEXT';
  const folded = password.normalize('NFKC').toLowerCase();
  if (isRepetition(folded) || isSequence(folded) || commonPasswords.has(folded)) return 'PASSWORD_TOO_COMMON';
  return isAboutOwner(folded, owner) ? 'PASSWORD_ABOUT_OWNER' : null;
}

/** True for repetitions such as `aaaaaaaa` and `12341234`. Accepts long ones, which attackers do not try first. */
const isRepetition = (text: string) => text.length <= 20 && /^([a-z\d]{1,5})\1+$/.test(text);

/** True for sequences such as `87654321` and `cdefghijkl`. */
function isSequence(text: string): boolean {
  const steps = Array.from(text.slice(1), (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i));
  return /^[a-z\d]+$/.test(text) && Math.abs(steps[0]!) === 1 && new Set(steps).size === 1;
}

/** True for the user's name or address, or the product's name, even with digits and punctuation around it. */
function isAboutOwner(folded: string, { name, email }: PasswordOwner): boolean {
  const [local = '', domain = ''] = email.split('@');
  const words = [PRODUCT_NAME, name, email, local, domain, ...name.split(/\s+/)]
    .map(comparable)
    .filter(Boolean);
  return (
    words.includes(comparable(folded)) ||
    words
      .map(stemOf)
      .filter(Boolean)
      .includes(stemOf(comparable(folded)))
  );
}

const comparable = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
const stemOf = (text: string) => text.replace(/^\p{N}+|\p{N}+$/gu, '');
