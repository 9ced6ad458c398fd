import { useState } from 'react';
import { Link2, Link2Off } from 'lucide-react';
import toast from 'react-hot-toast';
import type { Share } from '#libs/contract/sharing.js';
import { useSetShare, useShare } from './api/share';
import { Button, buttonClass } from '../../shared/ui/button';
import { CopyButton } from '../../shared/ui/copy-button';
import { Dialog } from '../../shared/ui/dialog';
import { Notice } from '../../shared/ui/notice';
import { Loading } from '../../shared/ui/spinner';
import { Switch } from '../../shared/ui/switch';
import { TextField } from '../../shared/ui/text-field';

interface ShareDialogProps {
  creationId: string;
  onClose: () => void;
}

export function ShareDialog({ creationId, onClose }: ShareDialogProps) {
  const { data: share, error, refetch } = useShare(creationId);
  return (
    <Dialog label="Share this text" onClose={onClose}>
      <h2 className="pr-10 text-2xl">Share this text</h2>
      <p className="mt-2 text-quiet">
        Anyone with the link can read it without an account. It cannot be guessed, and search engines do not
        list it.
      </p>
      <div className="mt-6">
        {share !== undefined ? (
          <ShareForm creationId={creationId} share={share} />
        ) : error ? (
          <Notice tone="danger" title="The link could not be loaded" onRetry={() => refetch()}>
            {error.message}
          </Notice>
        ) : (
          <Loading label="Loading the link" />
        )}
      </div>
    </Dialog>
  );
}

function ShareForm({ creationId, share }: { creationId: string; share: Share | null }) {
  const [chosen, setChosen] = useState(true);
  const change = useSetShare(creationId);
  const live = share?.live ?? chosen;
  const set = (next: Pick<Share, 'live'> | null, done: string) =>
    change.mutate(next, {
      onSuccess: () => toast.success(done),
      onError: ({ message }) => toast.error(message),
    });
  return (
    <div className="grid gap-6">
      {share && (
        <TextField
          label="Link"
          readOnly
          value={share.url}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
      <Switch
        label="Show later edits"
        hint={live ? 'The link always shows the newest text.' : 'The link shows the current text.'}
        checked={live}
        onChange={(checked) =>
          share
            ? set(
                { live: checked },
                checked ? 'The link shows later edits' : 'The link keeps showing the current text',
              )
            : setChosen(checked)
        }
      />
      {share ? (
        <div className="flex flex-wrap gap-2">
          <CopyButton text={share.url} copied="Link copied to clipboard!" failed="Failed to copy" />
          <a href={share.url} target="_blank" rel="noreferrer" className={buttonClass('plain', 'small')}>
            Open
          </a>
          <Button
            size="small"
            busy={change.isPending}
            onClick={() => set(null, 'Sharing stopped. The link no longer works')}
          >
            {!change.isPending && <Link2Off aria-hidden="true" className="size-4" />}
            Unpublish
          </Button>
        </div>
      ) : (
        <Button
          variant="primary"
          busy={change.isPending}
          onClick={() => set({ live: chosen }, 'The link is ready')}
        >
          {!change.isPending && <Link2 aria-hidden="true" className="size-4" />}
          Create link
        </Button>
      )}
    </div>
  );
}
