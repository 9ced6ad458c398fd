import type { Response } from 'undici';
import { WEBHOOK_RESPONSE_MAX_CHARACTERS } from '#libs/contract/webhooks.js';
import { ForbiddenAddress, type PublicFetch } from '#libs/outbound/public-fetch.js';
import type { ReceiverAnswer } from './delivery-schedule.js';
import { signedHeaders, type SignedMessage, type WebhookKeys } from './signatures.js';

const TIMEOUT_SECONDS = 20;
/** Bytes that are read of an answer: enough for its first characters. */
const RESPONSE_MAX_BYTES = 4 * WEBHOOK_RESPONSE_MAX_CHARACTERS;

export interface WebhookRequestResult {
  answer: ReceiverAnswer | null;
  /** Null if the receiver took the event. */
  error: string | null;
  /** Beginning of the answer's body. */
  response: string;
}

/** Sends one request. Never throws, unless `signal` aborted it. */
export async function sendWebhookRequest(
  publicFetch: PublicFetch,
  url: string,
  message: SignedMessage,
  keys: WebhookKeys[],
  signal: AbortSignal,
): Promise<WebhookRequestResult> {
  const timeout = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000);
  let answer: ReceiverAnswer | null = null;
  try {
    const response = await publicFetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Pressroom-Webhooks/1',
        ...signedHeaders(message, keys),
      },
      body: message.body,
      signal: AbortSignal.any([timeout, signal]),
    });
    answer = { status: response.status, retryAfter: response.headers.get('retry-after') };
    return { answer, error: errorOf(response), response: await readBeginning(response) };
  } catch (error) {
    signal.throwIfAborted();
    return { answer, error: reasonOf(error, timeout.aborted), response: '' };
  }
}

function errorOf({ ok, status }: Response): string | null {
  if (ok) return null;
  if (status >= 300 && status < 400)
    return 'The receiver answered with a redirect, which is not followed. Give its new address.';
  return `The receiver answered ${status}.`;
}

async function readBeginning({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).byteLength;
    if (bytes >= RESPONSE_MAX_BYTES) break;
  }
  // PostgreSQL does not store NUL.
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '');
  return [...text].slice(0, WEBHOOK_RESPONSE_MAX_CHARACTERS).join('');
}

function reasonOf(error: unknown, isTimeout: boolean): string {
  if (isTimeout) return `No answer within ${TIMEOUT_SECONDS} seconds.`;
  const cause = error instanceof ForbiddenAddress ? error : ((error as Error).cause as Error | undefined);
  if (cause instanceof ForbiddenAddress) return 'The address is not public, so nothing was sent.';
  const { code = '' } = (cause ?? {}) as { code?: string };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The name of the host was not found.';
  if (code === 'ECONNREFUSED') return 'The connection was refused.';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'The host cannot be reached.';
  if (/CERT|SSL|TLS|SIGNATURE/.test(code)) return `The certificate or the encryption is not valid (${code}).`;
  return `The connection failed${code && ` (${code})`}.`;
}
