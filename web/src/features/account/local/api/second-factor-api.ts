import type { SignedInUser } from '../../../../shared/account/accounts';
import { readUser } from './auth-api';
import { callAuth, field, ignoreBody, textField, type ResponseReader } from './auth-call';

export interface NewApp {
  /** An `otpauth://` URI, for the QR code. */
  uri: string;
  /** The secret as text, for manual entry. */
  secret: string;
  recoveryCodes: string[];
}

const readCodes: ResponseReader<string[]> = (content) => {
  const codes = field(content, 'backupCodes');
  return Array.isArray(codes) ? codes.map(String) : undefined;
};
const readNewApp: ResponseReader<NewApp> = (content) => {
  const uri = textField(content, 'totpURI');
  const recoveryCodes = readCodes(content);
  if (uri === null || recoveryCodes === undefined) return undefined;
  return { uri, secret: new URL(uri).searchParams.get('secret') ?? '', recoveryCodes };
};

/** Creates a secret and recovery codes. The second factor becomes active when `verifyCode` succeeds. */
export const startApp = (password: string) => callAuth('/two-factor/enable', readNewApp, { password });

export const removeApp = (password: string) => callAuth('/two-factor/disable', ignoreBody, { password });

export const makeRecoveryCodes = (password: string) =>
  callAuth('/two-factor/generate-backup-codes', readCodes, { password });

interface EnteredCode {
  code: string;
  trustDevice?: boolean;
}

/** Verifies a code of the app. Completes a sign-in that requires a code, or the setup of the app. */
export const verifyCode = (entered: EnteredCode): Promise<SignedInUser> =>
  callAuth('/two-factor/verify-totp', readUser, entered);

export const verifyRecoveryCode = (entered: EnteredCode): Promise<SignedInUser> =>
  callAuth('/two-factor/verify-backup-code', readUser, entered);
