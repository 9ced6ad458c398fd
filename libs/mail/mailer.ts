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

/** `refused`: the mail server will never take this mail. */
export type Delivery = 'sent' | 'failed' | 'refused';

const RETRY_DELAYS = [1_000, 10_000];
const TIMEOUT_MS = 15_000;

/**
 * Sends mails in the background, so that response times do not reveal whether a mail was sent. Drops a mail after three
 * failed attempts, or when it is refused for good; users can request another mail.
 */
export class Mailer {
  private readonly transport;
  private readonly sending = new Set<Promise<Delivery>>();
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

  /** Like {@link send}. */
  deliver(kind: string, mail: Mail): Promise<Delivery> {
    const sending: Promise<Delivery> = this.attempt(kind, mail).finally(() => this.sending.delete(sending));
    this.sending.add(sending);
    return sending;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.sending);
    this.transport.close();
  }

  private async attempt(kind: string, mail: Mail): Promise<Delivery> {
    for (const [attempt, delay] of [...RETRY_DELAYS, null].entries()) {
      try {
        await this.transport.sendMail(mail);
        this.logger.info({ mail: kind }, 'Mail sent');
        return 'sent';
      } catch (error) {
        const { code } = error as { code?: string };
        const isRefused = isRefusal(error);
        const willRetry = delay !== null && !isRefused && !this.stopping.signal.aborted;
        this.logger.warn(
          { mail: kind, attempt: attempt + 1, code },
          willRetry ? 'Mail failed; will retry' : 'Mail failed',
        );
        if (!willRetry) return isRefused ? 'refused' : 'failed';
        await sleep(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
    return 'failed';
  }
}

/** True for a 5xx reply to the recipient or the message. A 5xx reply to the sign-in is about the configuration. */
const isRefusal = (error: unknown): boolean => {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
};
