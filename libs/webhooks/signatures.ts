import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto';

/** Keys of a webhook: of HMAC-SHA256, and of Ed25519 as PKCS #8 in DER. */
export interface WebhookKeys {
  secret: Buffer;
  signingKey: Buffer;
}

export interface SignedMessage {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

const ED25519_KEY_BYTES = 32;

export function createWebhookKeys(): WebhookKeys {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { secret: randomBytes(32), signingKey: privateKey.export({ type: 'pkcs8', format: 'der' }) };
}

export const secretText = ({ secret }: Pick<WebhookKeys, 'secret'>): string =>
  `whsec_${secret.toString('base64')}`;

export function publicKeyText({ signingKey }: Pick<WebhookKeys, 'signingKey'>): string {
  const key = createPublicKey(createPrivateKey({ key: signingKey, type: 'pkcs8', format: 'der' }));
  const raw = key.export({ type: 'spki', format: 'der' }).subarray(-ED25519_KEY_BYTES);
  return `whpk_${raw.toString('base64')}`;
}

/**
 * Headers of a request, by the specification Standard Webhooks 1.0: a symmetric (`v1`) and an asymmetric (`v1a`) signature
 * by each of the keys.
 */
export function signedHeaders({ id, timestamp, body }: SignedMessage, keys: WebhookKeys[]) {
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = keys.flatMap(({ secret, signingKey }) => [
    `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
    `v1a,${sign(null, content, { key: signingKey, type: 'pkcs8', format: 'der' }).toString('base64')}`,
  ]);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
