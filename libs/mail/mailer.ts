import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { MailConfig } from '#libs/config/environment.js';

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

const RETRY_DELAYS = [1_000, 10_000];
const TIMEOUT_MS = 15_000;

/**
 * Sends mails in the background, so that response times do not reveal whether a mail was sent. Drops a mail after three
 * failed attempts; users can request another mail.
 */
export class Mailer {
  private readonly transport;
  private readonly sending = new Set<Promise<boolean>>();
  private readonly stopping = new AbortController();

  constructor(
    { url, from }: MailConfig,
    private readonly logger: MailerLogger,
  ) {
    this.transport = createTransport(
      {
        url,
        pool: true,
        maxConnections: 2,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
      },
      { from },
    );
  }

  /** @param kind name of the mail for the log, which must not contain the recipient */
  send(kind: string, mail: Mail): void {
    void this.deliver(kind, mail);
  }

  /** Like {@link send}. @returns false if the mail was dropped */
  deliver(kind: string, mail: Mail): Promise<boolean> {
    const sending: Promise<boolean> = this.attempt(kind, mail).finally(() => this.sending.delete(sending));
    this.sending.add(sending);
    return sending;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.sending);
    this.transport.close();
  }

  private async attempt(kind: string, mail: Mail): Promise<boolean> {
    for (const [attempt, delay] of [...RETRY_DELAYS, null].entries()) {
      try {
        await this.transport.sendMail(mail);
        this.logger.info({ mail: kind }, 'Mail sent');
        return true;
      } catch (error) {
        const { code } = error as { code?: string };
        const willRetry = delay !== null && !this.stopping.signal.aborted;
        this.logger.warn(
          { mail: kind, attempt: attempt + 1, code },
          willRetry ? 'Mail failed; will retry' : 'Mail failed',
        );
        if (!willRetry) return false;
        await sleep(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
    return false;
  }
}
