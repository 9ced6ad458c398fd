import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { moderationCauses, moderationReason } from '#libs/contract/moderation.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { execute, queryRows } from '#libs/database/sql.js';
import { composeMail } from '#libs/mail/compose-mail.js';
import type { Mail, Mailer } from '#libs/mail/mailer.js';

const AT_ONCE = 50;
/** Hours after a decision in which its mail is sent again if the mail server does not take it. */
const RETRY_HOURS = 24;
/** Minutes between two attempts. */
const RETRY_MINUTES = 15;

const noticeSchema = z.object({
  id: z.string(),
  changedAt: z.date(),
  state: z.enum(['approved', 'waiting', 'refused', 'hidden']),
  cause: z.enum(moderationCauses),
  reason: z.string().nullable(),
  prompt: z.string(),
  published: z.boolean(),
  isAnswer: z.boolean(),
  name: z.string(),
  email: z.string().nullable(),
});
type Notice = z.infer<typeof noticeSchema>;

/** Mails owners about decisions of operators and about pictures that reports hid. */
export class ModerationNotices {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: Pick<Mailer, 'deliver'> | null,
    private readonly publicUrl: string,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Sends the due mails in the background. Several workers may do this at once. */
  async pass(): Promise<void> {
    const due = await queryRows(
      this.dataSource,
      noticeSchema,
      `UPDATE creation_moderations SET is_notice_due = false
       FROM creations JOIN users ON users.id = creations.user_id
       WHERE creations.id = creation_id AND creation_id IN (
         SELECT creation_id FROM creation_moderations
         WHERE is_notice_due AND (notice_after IS NULL OR notice_after <= now())
         ORDER BY changed_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
       RETURNING creations.id, changed_at AS "changedAt", state, cause, creation_moderations.reason, prompt, published,
         answered_at IS NOT NULL AS "isAnswer", name, email`,
    );
    for (const notice of due) void this.deliver(notice).catch(this.onError);
  }

  private async deliver(notice: Notice): Promise<void> {
    if (notice.email === null || this.mailer === null) return;
    const mail = moderationMail(notice.email, notice, this.publicUrl);
    if ((await this.mailer.deliver('moderation', mail)) !== 'failed') return;
    // A later decision has its own mail.
    await execute(
      this.dataSource,
      `UPDATE creation_moderations
       SET is_notice_due = true, notice_after = now() + make_interval(mins => ${RETRY_MINUTES})
       WHERE creation_id = $1 AND changed_at = $2 AND changed_at > now() - make_interval(hours => ${RETRY_HOURS})`,
      [notice.id, notice.changedAt],
    );
  }
}

function moderationMail(to: string, notice: Omit<Notice, 'email'>, publicUrl: string): Mail {
  const { id, state, cause, reason, prompt, published, isAnswer, name } = notice;
  const what = `“${jobTitleFrom(prompt)}”`;
  const link = { label: 'Open its page', link: `${publicUrl}/ai/creations/${id}` };
  if (state === 'approved')
    return composeMail(to, published ? 'It is public' : 'You may publish it', name, [
      published ? `${what} is public now.` : `${what} may be published again. It is not public now.`,
      link,
    ]);
  if (isAnswer)
    return composeMail(to, 'The decision stays', name, [
      `Whoever runs this server decided about your answer: ${what} is not public, and cannot be published. ${moderationReason(cause, reason)}`,
      link,
    ]);
  return composeMail(to, 'It is no longer public', name, [
    `${what} is no longer public, and cannot be published. ${moderationReason(cause, reason)}`,
    'You can answer once on its page.',
    link,
  ]);
}
