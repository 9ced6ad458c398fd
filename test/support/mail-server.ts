import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

/** A mail as it arrived. */
export interface ReceivedMail {
  to: string[];
  /** Headers and all parts, decoded. */
  source: string;
  /** The first address of the web in it. */
  link: string;
}

const USER = { username: 'pressroom', password: 'mail word' };

/** An SMTP server, by default on loopback, that requires user and password and keeps the mails. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Mails to refuse for now, as a busy server does. */
  refusals = 0;
  readonly #server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === USER.username && password === USER.password
        ? done(null, { user: username })
        : done(new Error('Wrong user or password')),
    onData: (stream, { envelope }, done) => {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (piece: string) => (text += piece));
      stream.on('end', () => {
        if (this.refusals > 0) {
          this.refusals -= 1;
          return done(Object.assign(new Error('Busy'), { responseCode: 451 }));
        }
        const source = decode(text);
        const link = /https?:\/\/\S+/.exec(source)?.[0] ?? '';
        this.mails.push({ to: envelope.rcptTo.map(({ address }) => address), source, link });
        done();
      });
    },
  });

  static async start(address = '127.0.0.1'): Promise<MailServer> {
    const server = new MailServer();
    await new Promise<void>((resolve) => server.#server.listen(0, address, resolve));
    return server;
  }

  /** The variables by which a product sends to it. */
  variables(host = '127.0.0.1'): Record<string, string> {
    const { port } = this.#server.server.address() as AddressInfo;
    const { username, password } = USER;
    return {
      SMTP_URL: `smtp://${username}:${encodeURIComponent(password)}@${host}:${port}`,
      SMTP_FROM: 'Pressroom <no-reply@example.com>',
    };
  }

  /** Waits for the next mail to an address, and removes it. */
  async next(address: string): Promise<ReceivedMail> {
    const found = await until(`a mail to ${address}`, () =>
      this.mails.find(({ to }) => to.includes(address)),
    );
    this.mails.splice(this.mails.indexOf(found), 1);
    return found;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Decodes quoted-printable, in which mails are written here. */
const decode = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
