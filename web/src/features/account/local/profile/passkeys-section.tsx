import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../../shared/http/query-keys';
import { formatDate } from '../../../../shared/lib/format';
import { Button } from '../../../../shared/ui/button';
import { listPasskeys, removePasskey, type Passkey } from '../api/passkey-api';
import { PasswordPrompt } from '../ui/forms';
import { QueryStatus } from '../ui/query-status';
import { NewPasskeyForm, PasskeyNameForm } from './passkey-forms';

interface PasskeysSectionProps {
  email: string | null;
  /** False if passkeys can't work at this address of the server. */
  available: boolean;
}

export function PasskeysSection({ email, available }: PasskeysSectionProps) {
  const [adding, setAdding] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const stopAdding = () => {
    flushSync(() => setAdding(false));
    button.current?.focus();
  };
  const list = useQuery({ queryKey: queryKeys.passkeys, queryFn: listPasskeys });
  return (
    <div className="mt-2 grid gap-4">
      <p className="text-[0.9375rem] text-quiet">
        Sign in with your device’s fingerprint, face recognition or PIN instead of a password.
      </p>
      {list.data !== undefined ? (
        <PasskeyList passkeys={list.data} email={email} />
      ) : (
        <QueryStatus
          failure={list.failureReason}
          loading="Loading passkeys"
          failed="Passkeys could not be loaded"
        />
      )}
      {!available || window.PublicKeyCredential === undefined ? (
        <p className="text-sm text-quiet">
          {available
            ? 'This browser does not support passkeys.'
            : 'Passkeys need a domain name and HTTPS, which this Pressroom does not have.'}
        </p>
      ) : adding ? (
        <NewPasskeyForm email={email} onClose={stopAdding} />
      ) : (
        <Button ref={button} size="small" className="justify-self-start" onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      )}
    </div>
  );
}

function PasskeyList({ passkeys, email }: { passkeys: Passkey[]; email: string | null }) {
  if (passkeys.length === 0) return <p className="text-sm text-quiet">No passkeys yet.</p>;
  return (
    <ul className="divide-y divide-line border-y border-line">
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} email={email} />
      ))}
    </ul>
  );
}

function PasskeyRow({ passkey, email }: { passkey: Passkey; email: string | null }) {
  const queries = useQueryClient();
  const [mode, setMode] = useState<'view' | 'rename' | 'remove'>('view');
  const renameButton = useRef<HTMLButtonElement>(null);
  const closeForm = () => {
    flushSync(() => setMode('view'));
    renameButton.current?.focus();
  };
  const refetch = () => queries.invalidateQueries({ queryKey: queryKeys.passkeys });
  const name = passkey.name ?? 'Passkey';
  return (
    <li className="grid gap-3 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-[1_1_10rem]">
          <p className="font-semibold wrap-anywhere">{name}</p>
          <p className="mt-0.5 text-sm text-quiet">
            {passkey.createdAt !== null && `Added on ${formatDate(passkey.createdAt)}, `}
            {passkey.synced ? 'synced across devices' : 'on this device only'}
          </p>
        </div>
        {mode === 'view' && (
          <div className="flex gap-2">
            <Button
              ref={renameButton}
              size="small"
              aria-label={`Rename ${name}`}
              onClick={() => setMode('rename')}
            >
              Rename
            </Button>
            <Button size="small" aria-label={`Remove ${name}`} onClick={() => setMode('remove')}>
              Remove
            </Button>
          </div>
        )}
      </div>
      {mode === 'rename' && (
        <PasskeyNameForm
          id={passkey.id}
          name={name}
          onSaved={async () => {
            await refetch();
            closeForm();
          }}
          onCancel={closeForm}
        />
      )}
      {mode === 'remove' && (
        <>
          <p className="text-sm">
            You can no longer sign in with it. Delete it in your device’s settings too.
          </p>
          <PasswordPrompt
            email={email}
            label={`Remove ${name}`}
            action="Remove passkey"
            variant="danger"
            run={(password) => removePasskey({ id: passkey.id, password })}
            onDone={refetch}
            onCancel={closeForm}
          />
        </>
      )}
    </li>
  );
}
