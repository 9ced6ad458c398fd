import { createHmac, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';

/** A user as Clerk's Backend API writes it. */
export interface ClerkUser {
  id: string;
  first_name: string | null;
  last_name: string | null;
  image_url: string;
  primary_email_address_id: string;
  email_addresses: { id: string; email_address: string }[];
  public_metadata: Record<string, unknown>;
  private_metadata: Record<string, unknown>;
  updated_at: number;
}

const HOST = 'clerk.example.test';
export const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret of the tests for webhooks').toString('base64')}`;
export const SECRET_KEY = 'sk_live_of_the_tests';

/**
 * Clerk, as far as our server sees it: a key pair that signs session tokens, signed webhooks, and over HTTP on
 * loopback the calls of the Backend API that we use. Shows that our side works, not that Clerk behaves so.
 */
export class ClerkService {
  readonly users = new Map<string, ClerkUser>();
  /** `METHOD path` of each call. */
  readonly calls: string[] = [];
  /** Errors with which the next calls are answered. */
  readonly refusals: { status: number; retryAfter?: number }[] = [];
  /** Answers wait until it resolves. */
  held: Promise<void> = Promise.resolve();
  readonly issuer = `https://${HOST}`;
  readonly publishableKey = `pk_live_${Buffer.from(`${HOST}$`).toString('base64')}`;
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #kid = 'ins_key_1';

  static async start(): Promise<ClerkService> {
    const service = new ClerkService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The public key as an environment file has it, on one line. */
  get jwtKey(): string {
    return this.publicKey.export({ format: 'pem', type: 'spki' }).toString().trim().replaceAll('\n', '\\n');
  }

  get publicKey(): KeyObject {
    return this.#keys.publicKey;
  }

  /** The variables that connect a product to it. */
  variables(publicUrl?: string): Record<string, string> {
    return {
      CLERK_PUBLISHABLE_KEY: this.publishableKey,
      CLERK_SECRET_KEY: SECRET_KEY,
      CLERK_JWT_KEY: this.jwtKey,
      CLERK_WEBHOOK_SIGNING_SECRET: WEBHOOK_SECRET,
      CLERK_API_URL: this.apiUrl,
      ...(publicUrl && { PUBLIC_URL: publicUrl }),
    };
  }

  addUser(changes: Partial<ClerkUser> = {}): ClerkUser {
    const id = changes.id ?? `user_${randomUUID().replaceAll('-', '')}`;
    const user: ClerkUser = {
      id,
      first_name: 'Ada',
      last_name: 'Hosted',
      image_url: `https://img.clerk.com/${id}`,
      primary_email_address_id: 'idn_2',
      email_addresses: [
        { id: 'idn_1', email_address: `other-${id}@example.com` },
        { id: 'idn_2', email_address: `${id}@example.com` },
      ],
      public_metadata: {},
      private_metadata: {},
      updated_at: Date.now(),
      ...changes,
    };
    this.users.set(id, user);
    return user;
  }

  /** A session token, version 2; a claim set to undefined is left out. */
  async token(
    userId: string,
    party: string,
    changes: JWTPayload = {},
    key = this.#keys.privateKey,
  ): Promise<string> {
    return new SignJWT(this.claims(userId, party, changes))
      .setProtectedHeader({ alg: 'RS256', kid: this.#kid, typ: 'JWT' })
      .sign(key);
  }

  /** An access token of Clerk's OAuth server, which has no audience. */
  async accessToken(userId: string, clientId: string): Promise<string> {
    return new SignJWT({ iss: this.issuer, sub: userId, client_id: clientId, scope: 'email profile' })
      .setProtectedHeader({ alg: 'RS256', kid: this.#kid, typ: 'at+jwt' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(this.#keys.privateKey);
  }

  unsigned(userId: string, party: string): string {
    return new UnsecuredJWT(this.claims(userId, party)).encode();
  }

  claims(userId: string, party: string, changes: JWTPayload = {}): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    return {
      v: 2,
      iss: this.issuer,
      sub: userId,
      sid: 'sess_1',
      azp: party,
      iat: now,
      nbf: now - 10,
      exp: now + 60,
      sts: 'active',
      fva: [0, -1],
      pla: 'u:free_user',
      fea: '',
      ...changes,
    };
  }

  /** The request of a webhook, with its signature. */
  webhook(event: object, { id = `msg_${randomUUID()}`, at = new Date(), secret = WEBHOOK_SECRET } = {}) {
    const body = JSON.stringify(event);
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    return {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'svix-id': id,
        'svix-timestamp': timestamp,
        'svix-signature': `v1,${signature}`,
      },
      body,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '';
    this.calls.push(`${request.method} ${path}`);
    await this.held;
    const refusal = this.refusals.shift();
    if (refusal) {
      if (refusal.retryAfter) response.setHeader('Retry-After', String(refusal.retryAfter));
      return reply(response, refusal.status, { errors: [{ code: 'refused', message: 'Refused' }] });
    }
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return reply(response, 401, { errors: [{ code: 'authentication_invalid', message: 'No' }] });
    if (path === '/v1/jwks') return reply(response, 200, { keys: [this.#jwk()] });
    const [, id = '', metadata] = /^\/v1\/users\/([^/]+)(\/metadata)?$/.exec(path) ?? [];
    const user = this.users.get(id);
    if (!user)
      return reply(response, 404, { errors: [{ code: 'resource_not_found', message: 'Not found' }] });
    if (request.method === 'DELETE') {
      this.users.delete(id);
      return reply(response, 200, { id, object: 'user', deleted: true });
    }
    if (request.method === 'PATCH' && metadata) {
      const { private_metadata } = (await readJson(request)) as Partial<ClerkUser>;
      Object.assign(user.private_metadata, private_metadata);
      user.updated_at = Math.max(Date.now(), user.updated_at + 1);
    }
    return reply(response, 200, { object: 'user', ...user });
  }

  #jwk() {
    return { ...this.publicKey.export({ format: 'jwk' }), kid: this.#kid, alg: 'RS256', use: 'sig' };
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece as string;
  return JSON.parse(text);
}
