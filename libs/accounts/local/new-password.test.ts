import { describe, expect, it } from '@jest/globals';
import { refuseNewPassword } from './new-password.js';

const ada = { name: 'Ada Lovelace', email: 'ada.byron@example.com' };

describe('a new password', () => {
  it.each([
    ['seven characters', 'w7#kTz!', 'PASSWORD_TOO_SHORT'],
    ['seven emoji, which are 14 code units', '🦜🔐🎩🌋🧵🪐🦑', 'PASSWORD_TOO_SHORT'],
    ['129 characters', 'q z'.repeat(43), 'PASSWORD_TOO_LONG'],
    ['half an emoji', 'a long \ud83e password', 'PASSWORD_NO_TEXT'],
    ['the commonest', 'password', 'PASSWORD_TOO_COMMON'],
    ['digits in a row', '12345678', 'PASSWORD_TOO_COMMON'],
    ['a common one in another case', 'PassWord1', 'PASSWORD_TOO_COMMON'],
    ['a common one in wide letters', 'ｐａｓｓｗｏｒｄ', 'PASSWORD_TOO_COMMON'],
    ['one of the keyboard', '1qaz2wsx', 'PASSWORD_TOO_COMMON'],
    ['one letter', 'aaaaaaaa', 'PASSWORD_TOO_COMMON'],
    ['a repetition', 'AdminAdmin', 'PASSWORD_TOO_COMMON'],
    ['digits backwards', '987654321', 'PASSWORD_TOO_COMMON'],
    ['letters in a row', 'cdefghijk', 'PASSWORD_TOO_COMMON'],
    ['the own address', 'ADA.Byron@example.com', 'PASSWORD_ABOUT_OWNER'],
    ['the own address before the @', 'ada.byron', 'PASSWORD_ABOUT_OWNER'],
    ['the own name', 'ada lovelace', 'PASSWORD_ABOUT_OWNER'],
    ['the own name with digits and marks', 'Lovelace-1815!', 'PASSWORD_ABOUT_OWNER'],
    ['the name of the product', 'PressRoom', 'PASSWORD_ABOUT_OWNER'],
    ['the name of the product with a year', 'pressroom2026', 'PASSWORD_ABOUT_OWNER'],
  ])('is not %s', async (_, password, code) => {
    expect(refuseNewPassword(password, ada)).toBe(code);
  });

  it.each([
    ['eight emoji', '🦜🔐🎩🌋🧵🪐🦑🫖'],
    ['eight letters', 'wmtzkqvb'],
    ['128 characters', 'x'.repeat(128)],
    ['128 emoji', '🦜'.repeat(128)],
    ['words with spaces', 'correct horse battery staple'],
    ['Arabic', 'كلمة سر طويلة'],
    ['a sentence with the own name', 'ada walks to the river'],
  ])('may be %s', async (_, password) => {
    expect(refuseNewPassword(password, ada)).toBeNull();
  });

  it('may be anything for a user whose name is numeric', async () => {
    expect(refuseNewPassword('5512 7093', { name: '42', email: '7@example.com' })).toBeNull();
  });
});
