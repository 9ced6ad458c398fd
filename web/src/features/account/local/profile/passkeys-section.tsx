import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../../shared/http/query-keys';
import { formatDate } from '../../../../shared/lib/format';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { Loading } from '../../../../shared/ui/spinner';
import { authErrorMessage } from '../api/auth-error-message';
import { listPasskeys, removePasskey, type Passkey } from '../api/passkey-api';
import { AskPasswordForm } from './ask-password-form';
import { NewPasskeyForm } from './new-passkey-form';
import { PasskeyNameForm } from './passkey-name-form';

interface PasskeysSectionProps {
  email: string | null;
  /** Whether browsers offer passkeys at the address of this server. */
  available: boolean;
}

/** Adds, names, lists and removes passkeys. */
export function PasskeysSection({ email, available }: PasskeysSectionProps) {
  const [adding, setAdding] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const stopAdding = () => {
    flushSync(() => setAdding(false));
    button.current?.focus();
  };
  const list = useQuery({ queryKey: queryKeys.passkeys, queryFn: listPasskeys });
  return (
    <div className="mt-2 grid grid-cols-1 gap-4">
      <p className="text-[0.9375rem] text-quiet">
        A passkey signs you in with the fingerprint, face or PIN of your device, without a password or a code.
      </p>
      {list.data !== undefined ? (
        <PasskeyList passkeys={list.data} email={email} />
      ) : list.failureReason === null ? (
        <Loading label="Looking for your passkeys" />
      ) : (
        <Notice tone="warning" title="Your passkeys cannot be listed just now">
          {authErrorMessage(list.failureReason).message} This list tries again by itself.
        </Notice>
      )}
      {!available || window.PublicKeyCredential === undefined ? (
        <p className="text-sm text-quiet">
          {available
            ? 'This browser knows no passkeys.'
            : 'Passkeys need an address with a name and https, which this Pressroom does not have.'}
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
  if (passkeys.length === 0) return <p className="text-sm text-quiet">You have no passkeys yet.</p>;
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
  const [mode, setMode] = useState<'shown' | 'renamed' | 'removed'>('shown');
  const first = useRef<HTMLButtonElement>(null);
  const show = () => {
    flushSync(() => setMode('shown'));
    first.current?.focus();
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
            {passkey.synced ? 'on your synced devices' : 'on one device'}
          </p>
        </div>
        {mode === 'shown' && (
          <div className="flex gap-2">
            <Button ref={first} size="small" aria-label={`Rename ${name}`} onClick={() => setMode('renamed')}>
              Rename
            </Button>
            <Button size="small" aria-label={`Remove ${name}`} onClick={() => setMode('removed')}>
              Remove
            </Button>
          </div>
        )}
      </div>
      {mode === 'renamed' && (
        <PasskeyNameForm
          id={passkey.id}
          name={name}
          onSaved={async () => {
            await refetch();
            show();
          }}
          onCancel={show}
        />
      )}
      {mode === 'removed' && (
        <>
          <p className="text-sm">
            It will not sign you in any more. Delete it in your device’s settings too: Pressroom cannot.
          </p>
          <AskPasswordForm
            email={email}
            label={`Remove ${name}`}
            action="Remove the passkey"
            variant="danger"
            run={(password) => removePasskey({ id: passkey.id, password })}
            onDone={refetch}
            onCancel={show}
          />
        </>
      )}
    </li>
  );
}
