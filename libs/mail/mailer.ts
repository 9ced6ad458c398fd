import { createTransport } from 'nodemailer';
import type { MailConfig } from '#libs/config/mail.js';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailerLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Milliseconds before the second and the third try. */
const RETRIES = [1_000, 10_000];
const PATIENCE = 15_000;

/**
 * Sends mails in the background: nobody waits for a mail server, and how long an answer takes says nothing of whether
 * a mail was sent. One that fails thrice is given up; users ask for another.
 */
export class Mailer {
  readonly #transport;
  readonly #sending = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(
    { url, from }: MailConfig,
    private readonly logger: MailerLogger,
  ) {
    this.#transport = createTransport(
      {
        url,
        pool: true,
        maxConnections: 2,
        connectionTimeout: PATIENCE,
        greetingTimeout: PATIENCE,
        socketTimeout: PATIENCE,
      },
      { from },
    );
  }

  /** @param kind what the mail is, for the log, which names nobody */
  send(kind: string, mail: Mail): void {
    const sending: Promise<void> = this.#try(kind, mail).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Waits for mails on their way; none is tried again. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#sending);
    this.#transport.close();
  }

  async #try(kind: string, mail: Mail): Promise<void> {
    for (const [attempt, pause] of [...RETRIES, null].entries()) {
      try {
        await this.#transport.sendMail(mail);
        this.logger.info({ mail: kind }, 'Mail sent');
        return;
      } catch (error) {
        const { code } = error as { code?: string };
        const again = pause !== null && !this.#stopping.signal.aborted;
        this.logger.warn(
          { mail: kind, attempt: attempt + 1, code },
          again ? 'Mail failed; once more' : 'Mail failed',
        );
        if (!again) return;
        await this.#pause(pause);
      }
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#stopping.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
