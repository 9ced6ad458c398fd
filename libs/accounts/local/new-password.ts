import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '#libs/contract/account.js';

/** Whose password it will be. */
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

/** A user would rather choose it than think of another one; attackers know. */
const PRODUCT_NAME = 'Pressroom';

/**
 * The rules for a new password. Any characters are allowed, and none is required: people meet such demands with
 * `Password1!`. What attackers try first is refused instead.
 * @returns null for a password that may be used
 */
export async function refuseNewPassword(
  password: string,
  owner: PasswordOwner,
): Promise<PasswordRefusal | null> {
  const { length } = Array.from(password);
  if (length < PASSWORD_MIN_CHARACTERS) return 'PASSWORD_TOO_SHORT';
  if (length > PASSWORD_MAX_CHARACTERS) return 'PASSWORD_TOO_LONG';
  // Halves of surrogate pairs are all hashed as the same character.
  if (!password.isWellFormed()) return 'PASSWORD_NO_TEXT';
  const folded = password.normalize('NFKC').toLowerCase();
  if (isRepetition(folded) || isSequence(folded) || (await commonPasswords()).has(folded))
    return 'PASSWORD_TOO_COMMON';
  return isAbout(folded, owner) ? 'PASSWORD_ABOUT_OWNER' : null;
}

let list: Promise<ReadonlySet<string>> | undefined;

/**
 * About 18,000 that people use most, of eight characters and more, in lower case. From zxcvbn-ts, whose list is
 * maintained, under the MIT licence and installed with us: no password or part of its hash leaves this server.
 */
const commonPasswords = () =>
  (list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter((one) => one.length >= PASSWORD_MIN_CHARACTERS)),
  ));

/** Such as `aaaaaaaa` and `12341234`, which the list leaves out. Long ones are not tried first. */
const isRepetition = (text: string) => text.length <= 20 && /^([a-z\d]{1,5})\1+$/.test(text);

/** Such as `87654321` and `cdefghijkl`. */
function isSequence(text: string): boolean {
  const steps = Array.from(text.slice(1), (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i));
  return /^[a-z\d]+$/.test(text) && Math.abs(steps[0]!) === 1 && new Set(steps).size === 1;
}

/** The user's name or address, or ours, alone or with digits and marks around it. */
function isAbout(folded: string, { name, email }: PasswordOwner): boolean {
  const [local = '', domain = ''] = email.split('@');
  const words = [PRODUCT_NAME, name, email, local, domain, ...name.split(/\s+/)]
    .map(compared)
    .filter(Boolean);
  return (
    words.includes(compared(folded)) ||
    words
      .map(stemOf)
      .filter(Boolean)
      .includes(stemOf(compared(folded)))
  );
}

/** Letters and digits. */
const compared = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
const stemOf = (text: string) => text.replace(/^\p{N}+|\p{N}+$/gu, '');
