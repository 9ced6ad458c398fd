import { useState } from 'react';
import toast from 'react-hot-toast';
import type { JobContents as Contents } from '#libs/contract/admin.js';
import { formatBytes } from '../../../shared/lib/check-file';
import { saveFile } from '../../../shared/lib/save-file';
import { Button } from '../../../shared/ui/button';
import { useRevealJob, useRevealJobFile } from '../admin-api';
import { ReasonDialog } from '../reason-dialog';

/** What an operator saw, and why. */
interface Revealed {
  contents: Contents;
  reason: string;
}

export function JobContents({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false);
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  if (revealed) {
    const { title, input, result, partial, error, progress, files } = revealed.contents;
    return (
      <div className="grid gap-4">
        <p className="wrap-anywhere">{title}</p>
        {Object.entries({ input, result, partial: partial || null, error, progress }).map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <h3 className="text-sm text-quiet">{name}</h3>
                <pre className="mt-1 max-h-96 overflow-auto rounded-control bg-sunken p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
                  {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
                </pre>
              </div>
            ),
        )}
        {files.length > 0 && <Files id={id} files={files} reason={revealed.reason} />}
      </div>
    );
  }
  return (
    <>
      <p className="mb-4 text-quiet">
        Title, input, files and result are private to the user, and so are words that messages quote.
      </p>
      <Button onClick={() => setAsked(true)}>Reveal</Button>
      {isAsked && <RevealDialog id={id} onRevealed={setRevealed} onClose={() => setAsked(false)} />}
    </>
  );
}

function Files({ id, files, reason }: { id: string; files: Contents['files']; reason: string }) {
  const reveal = useRevealJobFile();
  return (
    <div>
      <h3 className="text-sm text-quiet">files</h3>
      <ul className="mt-1 border-t border-line">
        {files.map(({ field, name, type, bytes }) => (
          <li
            key={field}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3"
          >
            <p className="min-w-0 wrap-anywhere">
              <bdi>{name}</bdi>{' '}
              <span className="text-sm text-quiet">
                {field}, {type}, {formatBytes(bytes)}
              </span>
            </p>
            <Button
              size="small"
              busy={reveal.isPending}
              aria-label={`Download ${name}`}
              onClick={() =>
                reveal.mutate(
                  { id, field, reason },
                  {
                    onSuccess: (file) => saveFile(file, name),
                    onError: ({ message }) => toast.error(message),
                  },
                )
              }
            >
              Download
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RevealDialogProps {
  id: string;
  onRevealed: (revealed: Revealed) => void;
  onClose: () => void;
}

function RevealDialog({ id, onRevealed, onClose }: RevealDialogProps) {
  const reveal = useRevealJob();
  return (
    <ReasonDialog
      title="Reveal the contents?"
      confirmLabel="Reveal"
      mutation={reveal}
      onConfirm={(reason) =>
        reveal.mutate({ id, reason }, { onSuccess: (contents) => onRevealed({ contents, reason }) })
      }
      onClose={onClose}
    >
      What the user wrote and got is shown to you, and the audit log says so.
    </ReasonDialog>
  );
}
