import { useConfig } from '../../shared/account/read-config';
import { Clause, LegalPage } from './legal-page';

export default function PrivacyPage() {
  const config = useConfig().data;
  return (
    <LegalPage
      title="Privacy"
      lead="What this software stores, where, and for how long. It has no advertising, no tracking and no analytics."
    >
      <Clause title="On the server">
        <p>
          {config?.accounts.provider === 'clerk'
            ? 'Your account is stored by Clerk, the sign-in service. This server stores your name, email address and picture to show them to you.'
            : 'Your name and email address, and your password as a hash from which it cannot be recovered.'}
        </p>
        <p>
          Your creations with their prompts, and your conversations about PDFs, until you delete them. A
          deleted creation is hidden immediately and can be restored for 24 hours. Within the next hour, all
          copies of it are removed, with its files. A cleared conversation and a deleted account are removed
          immediately. Backups, if there are any, keep their contents until they are deleted themselves.
        </p>
        <p>
          The input of a run that failed or was cancelled, for at most seven days after its end, so that you
          can retry it; its files for at most one hour. Only the result of a run that succeeded. The record of
          a run, of several steps or of a batch, with the names of its files, is removed after some months;
          its results are not. The documents of a conversation are stored as long as the conversation. The
          text of other PDFs is removed after a day.
        </p>
        <p>Logs identify requests by number. They never contain a prompt, a file or a password.</p>
      </Clause>
      <Clause title="With an AI service">
        <p>
          {config?.engine === 'offline'
            ? 'No AI service is connected at present: nothing you enter or upload leaves this Pressroom’s server.'
            : 'The input and files of a run are sent to the AI service that the operator of this Pressroom has connected, which creates the result. Nothing else about you is sent. Tools that say “Works on this server” send nothing.'}
        </p>
      </Clause>
      <Clause title="In your browser">
        <p>
          One cookie that keeps you signed in. Your theme. The input and files of forms, until you submit
          them. Your latest conversations about PDFs, so that they load faster. Everything except the theme is
          removed when you sign out.
        </p>
      </Clause>
      <Clause title="Your questions">
        <p>
          The operator of this Pressroom can tell you everything that it stores about you, and remove your
          account. Contact the person or company that gave you its address.
        </p>
      </Clause>
    </LegalPage>
  );
}
