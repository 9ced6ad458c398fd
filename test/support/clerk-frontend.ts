import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { createServer, request as callOn, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import type { ClerkService, ClerkUser } from './clerk-service.ts';
import * as answers from './clerk-frontend-answers.ts';

/** The path of our origin at which pages reach it. */
export const PROXY_PATH = '/__clerk';

interface Session {
  id: string;
  userId: string;
}

/** One browser, by its `__client` cookie. */
interface Client {
  id: string;
  sessions: Session[];
  signIn: { id: string; email: string } | null;
}

/**
 * A fake of Clerk's Frontend API on the product's own origin: a proxy in front of the product, as an operator
 * would set one up, that answers `/__clerk` itself with the users of {@link ClerkService} and Clerk's own scripts. It
 * shows that our integration works, not that Clerk behaves so.
 */
export class ClerkFrontend {
  /** The passwords, by email. */
  readonly passwords = new Map<string, string>();
  /** The `pla` claim of the next tokens, by user. */
  readonly plans = new Map<string, string>();
  /** Every call, `METHOD /path`. */
  readonly calls: string[] = [];
  /** Calls without an answer here. */
  readonly unknown: string[] = [];
  /** `api`: its API answers 500. */
  failing: 'api' | null = null;
  /** Seconds for which a token is valid. */
  tokenSeconds = 60;
  readonly #service: ClerkService;
  readonly #scripts: string;
  readonly #clients = new Map<string, Client>();
  #product = 0;
  readonly #server = createServer((request, response) => {
    if (request.url?.startsWith(`${PROXY_PATH}/`))
      this.#answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    else this.#pass(request, response);
  });

  /** @param scripts the folder with the unpacked packages `clerk-js` and `ui` */
  private constructor(service: ClerkService, scripts: string) {
    this.#service = service;
    this.#scripts = scripts;
    this.#server.on('upgrade', (request, socket, head) => {
      const product = connect(this.#product, '127.0.0.1', () => {
        const headers = request.rawHeaders.reduce(
          (text, part, index) => text + part + (index % 2 === 0 ? ': ' : '\r\n'),
          '',
        );
        product.write(`GET ${request.url} HTTP/1.1\r\n${headers}\r\n`);
        product.write(head);
        product.pipe(socket).pipe(product);
      });
      product.on('error', () => socket.destroy());
      socket.on('error', () => product.destroy());
    });
  }

  static async start(service: ClerkService, scripts: string): Promise<ClerkFrontend> {
    const frontend = new ClerkFrontend(service, scripts);
    await new Promise<void>((resolve) => frontend.#server.listen(0, '127.0.0.1', resolve));
    return frontend;
  }

  /** The address at which a browser opens the product. */
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Variables of the product behind it. */
  variables(): Record<string, string> {
    return { ...this.#service.variables(this.address), CLERK_PROXY_URL: PROXY_PATH };
  }

  /** @param address of the product, as it listens */
  passTo(address: string): void {
    this.#product = Number(new URL(address).port);
  }

  addUser(email: string, password: string, changes: Partial<ClerkUser> = {}): ClerkUser {
    this.passwords.set(email, password);
    return this.#service.addUser({
      image_url: '',
      primary_email_address_id: 'idn_1',
      email_addresses: [{ id: 'idn_1', email_address: email }],
      ...changes,
    });
  }

  /** Ends the sessions of a user, as an administrator does in the dashboard. */
  revoke(userId: string): void {
    for (const client of this.#clients.values())
      client.sessions = client.sessions.filter((session) => session.userId !== userId);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    const onward = callOn(
      { host: '127.0.0.1', port: this.#product, method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.address);
    const path = url.pathname.slice(PROXY_PATH.length);
    const script = /^\/npm\/@clerk\/(clerk-js|ui)@[^/]+\/dist\/([\w.-]+\.js)$/.exec(path);
    if (script)
      return this.#script(join(this.#scripts, script[1] ?? '', 'dist', normalize(script[2] ?? '')), response);

    const method = url.searchParams.get('_method') ?? request.method ?? 'GET';
    const call = `${method} ${path}`;
    this.calls.push(call);
    const form = new URLSearchParams(await text(request));
    const reply = (status: number, body: object) =>
      response
        .writeHead(status, {
          'Content-Type': 'application/json',
          'Set-Cookie': `__client=${client.id}; Path=${PROXY_PATH}; HttpOnly; SameSite=Lax`,
        })
        .end(JSON.stringify(body));
    const client = this.#clientOf(request);
    if (this.failing === 'api') return void reply(500, answers.refusal('internal_error', 'Broken'));

    const changed = async (answer: unknown) => ({
      response: answer,
      client: await this.#clientAnswer(client),
    });
    const is = (pattern: string) => new RegExp(`^${pattern}$`).test(call);
    if (is('GET /v1/environment')) return void reply(200, answers.environment());
    if (is('GET /v1/client'))
      return void reply(200, { response: await this.#clientAnswer(client), client: null });
    if (is('POST /v1/client/sign_ins')) return this.#begin(client, form, reply, changed);
    if (is('POST /v1/client/sign_ins/\\w+/attempt_first_factor'))
      return this.#attempt(client, form, reply, changed);
    if (is('DELETE /v1/client/sessions')) {
      client.sessions = [];
      return void reply(200, await changed(await this.#clientAnswer(client)));
    }
    if (is('GET /v1/billing/plans')) return void reply(200, answers.plans());

    const session = client.sessions[0];
    const user = session && this.#service.users.get(session.userId);
    if (!session || !user) return void reply(401, answers.refusal('signed_out', 'You are signed out'));
    if (is('POST /v1/client/sessions/\\w+/touch'))
      return void reply(200, await changed(await this.#sessionAnswer(session)));
    if (is('POST /v1/client/sessions/\\w+/tokens'))
      return void reply(200, { object: 'token', jwt: await this.#token(session) });
    if (is('GET /v1/me')) return void reply(200, { response: answers.userAnswer(user), client: null });
    if (is('GET /v1/me/sessions/active')) return void reply(200, [answers.activeSession(session.id)]);
    if (is('GET /v1/me/billing/(statements|payment_methods|payment_attempts)'))
      return void reply(200, { data: [], total_count: 0 });
    if (is('GET /v1/me/billing/subscription'))
      return void reply(200, answers.subscription(this.plans.get(user.id) === 'u:premium'));
    this.unknown.push(call);
    reply(404, answers.refusal('resource_not_found', 'Not found'));
  }

  #script(file: string, response: ServerResponse): void {
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'max-age=600' });
    createReadStream(file).pipe(response);
  }

  #clientOf(request: IncomingMessage): Client {
    const id = /(?:^|; )__client=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? `client_${compactId()}`;
    const known = this.#clients.get(id) ?? { id, sessions: [], signIn: null };
    this.#clients.set(id, known);
    return known;
  }

  async #begin(client: Client, form: URLSearchParams, reply: Reply, changed: Changed): Promise<void> {
    const email = form.get('identifier') ?? '';
    if (!this.passwords.has(email))
      return void reply(
        422,
        answers.refusal('form_identifier_not_found', 'Couldn’t find your account.', 'identifier'),
      );
    client.signIn = { id: `sia_${compactId()}`, email };
    if (form.get('password') !== null) return this.#attempt(client, form, reply, changed);
    reply(200, await changed(answers.signIn(client.signIn, null)));
  }

  async #attempt(client: Client, form: URLSearchParams, reply: Reply, changed: Changed): Promise<void> {
    const { signIn } = client;
    if (signIn === null || this.passwords.get(signIn.email) !== form.get('password'))
      return void reply(
        422,
        answers.refusal('form_password_incorrect', 'Password is incorrect. Try again.', 'password'),
      );
    const user = [...this.#service.users.values()].find(({ email_addresses: addresses }) =>
      addresses.some((one) => one.email_address === signIn.email),
    );
    const session = { id: `sess_${compactId()}`, userId: user?.id ?? '' };
    client.sessions = [session];
    client.signIn = null;
    reply(200, await changed(answers.signIn(signIn, session.id)));
  }

  async #clientAnswer(client: Client): Promise<object> {
    const sessions = await Promise.all(client.sessions.map((session) => this.#sessionAnswer(session)));
    return answers.client(client.id, sessions, client.signIn && answers.signIn(client.signIn, null));
  }

  async #sessionAnswer(session: Session): Promise<object> {
    const user = this.#service.users.get(session.userId);
    return answers.session(session.id, user as ClerkUser, await this.#token(session));
  }

  #token({ id, userId }: Session): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return this.#service.token(userId, this.address, {
      sid: id,
      exp: now + this.tokenSeconds,
      pla: this.plans.get(userId) ?? 'u:free_user',
    });
  }
}

type Reply = (status: number, body: object) => unknown;
type Changed = (answer: unknown) => Promise<object>;

const compactId = () => randomUUID().replaceAll('-', '');

async function text(request: IncomingMessage): Promise<string> {
  let all = '';
  for await (const piece of request.setEncoding('utf8')) all += piece as string;
  return all;
}
