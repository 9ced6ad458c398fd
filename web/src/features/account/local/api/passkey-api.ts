import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { SignedInUser } from '../../../../shared/account/accounts';
import { readUser } from './auth-api';
import { callAuth, field, ignoreBody, textField, type ResponseReader } from './auth-call';

export interface Passkey {
  id: string;
  name: string | null;
  createdAt: string | null;
  /** True if the passkey is synced across devices. */
  synced: boolean;
}

const readPasskeys: ResponseReader<Passkey[]> = (content) => {
  if (!Array.isArray(content)) return undefined;
  return content.flatMap((one: unknown) => {
    const id = textField(one, 'id');
    if (id === null) return [];
    const synced = field(one, 'backedUp') === true;
    return [{ id, name: textField(one, 'name'), createdAt: textField(one, 'createdAt'), synced }];
  });
};
/** Checks only the challenge, since the browser validates the other options. */
const readOptions =
  <Options extends { challenge: string }>(): ResponseReader<Options> =>
  (content) =>
    textField(content, 'challenge') === null ? undefined : (content as Options);

export const listPasskeys = () => callAuth('/passkey/list-user-passkeys', readPasskeys);

export const renamePasskey = (change: { id: string; name: string }) =>
  callAuth('/passkey/update-passkey', ignoreBody, change);

export const removePasskey = (removed: { id: string; password: string }) =>
  callAuth('/passkey/delete-passkey', ignoreBody, removed);

/** Thrown if the user cancelled the browser's dialog or did not answer in time. `message` is for the user. */
export class PasskeyNotUsed extends Error {}

/** @throws PasskeyNotUsed, AuthError */
export async function addPasskey({ name, password }: { name: string; password: string }): Promise<void> {
  // Verify the password first, or else the device would store a passkey that the server then rejects.
  await callAuth('/verify-password', ignoreBody, { password });
  const optionsJSON = await callAuth(
    '/passkey/generate-register-options',
    readOptions<PublicKeyCredentialCreationOptionsJSON>(),
  );
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await startRegistration({ optionsJSON }).catch(notUsed);
  await callAuth('/passkey/verify-registration', ignoreBody, { response, name, password });
}

/**
 * Signs in with a passkey, which the user chooses in the browser's dialog or, with `autofill`, in the email field.
 * @throws PasskeyNotUsed, AuthError
 */
export async function signInWithPasskey({ autofill = false } = {}): Promise<SignedInUser> {
  const options = await callAuth(
    '/passkey/generate-authenticate-options',
    readOptions<PublicKeyCredentialRequestOptionsJSON>(),
  );
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({
    optionsJSON: { ...options, userVerification: 'required' },
    useBrowserAutofill: autofill,
  }).catch(notUsed);
  return callAuth('/passkey/verify-authentication', readUser, { response });
}

/** True if the browser offers passkeys in the autofill menu of a field. */
export async function offersAutofill(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await import('@simplewebauthn/browser');
  return browserSupportsWebAuthnAutofill();
}

export async function stopWaitingForPasskey(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser');
  WebAuthnAbortService.cancelCeremony();
}

function notUsed(cause: unknown): never {
  throw new PasskeyNotUsed(messages[cause instanceof Error ? cause.name : ''] ?? NO_PASSKEY_USED, { cause });
}

const NO_PASSKEY_USED = 'No passkey was used. The request was cancelled or timed out. Try again.';
/** Messages for the user, by the `name` of the browser's DOMException. */
const messages: Record<string, string> = {
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this address. Open Pressroom at its main address.',
};
