import { useConfig } from '../../shared/account/read-config';
import { Clause, LegalPage } from './legal-page';

export default function PrivacyPage() {
  const config = useConfig().data;
  return (
    <LegalPage
      title="Privacy"
      lead="What this software keeps, where, and for how long. There is no advertising, no tracking and no measuring of visitors in it."
    >
      <Clause title="On the server">
        <p>
          {config?.accounts.provider === 'clerk'
            ? 'Your account is kept by Clerk, the sign-in service; this server keeps your name, email address and picture to show them to you.'
            : 'Your name and email address, and your password as a hash from which it cannot be read back.'}
        </p>
        <p>
          What you made, with the prompts, and your conversations about PDFs, until you delete them. A deleted
          creation is hidden at once and can be brought back for 24 hours; within the hour after that every
          copy of it is removed, with its files. A cleared conversation and a deleted account are removed at
          once. Backups, where there are any, keep what was in them until they are deleted themselves.
        </p>
        <p>
          What a run that failed or was cancelled was given, for at most seven days after its end, so that it
          can be run again, but its files for at most an hour; of one that succeeded, only its result. The
          record of a run, of several steps or of a batch, with the names of its files, is removed after some
          months, what it made is not. The documents of a conversation stay with it; the text of other PDFs is
          removed after a day.
        </p>
        <p>Logs name requests by number. They never hold a prompt, a file or a password.</p>
      </Clause>
      <Clause title="With an AI service">
        <p>
          {config?.engine === 'offline'
            ? 'No AI service is connected at present: nothing you enter or upload leaves this Pressroom’s server.'
            : 'What you enter or upload for a run is sent to the AI service that whoever runs this Pressroom has connected, which makes the result; nothing else about you is sent along. Tools that say “Works on this server” send nothing.'}
        </p>
      </Clause>
      <Clause title="In your browser">
        <p>
          One cookie that keeps you signed in. Besides it your choice of theme; what you typed or chose in a
          form, until you send it; and your latest conversations about PDFs, to show them without waiting.
          Everything but the theme is removed when you sign out.
        </p>
      </Clause>
      <Clause title="Your questions">
        <p>
          Whoever runs this Pressroom can tell you all that it holds about you, and remove your account. Ask
          the person or company from whom you have its address.
        </p>
      </Clause>
    </LegalPage>
  );
}
