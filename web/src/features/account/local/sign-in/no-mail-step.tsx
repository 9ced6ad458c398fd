import { CopyButton } from '../../../../shared/ui/copy-button';
import { LinkButton } from './link-button';

/** Says how to reset a password on a server that sends no email. */
export function NoMailStep({ email, onBack }: { email: string; onBack: () => void }) {
  const command = `npm run cli -- password ${email || 'you@example.com'}`;
  return (
    <div className="mt-5 grid gap-4">
      <p>
        This server sends no email. Ask the person who runs it for a link to choose a new password. On the
        server, this command creates one:
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <code className="min-w-0 flex-1 rounded-control bg-sunken px-3 py-2 font-mono text-sm break-all">
          {command}
        </code>
        <CopyButton text={command} copied="Copied to clipboard!" failed="Failed to copy" />
      </div>
      <p className="text-sm text-quiet">
        <LinkButton onClick={onBack}>Back to sign-in</LinkButton>
      </p>
    </div>
  );
}
