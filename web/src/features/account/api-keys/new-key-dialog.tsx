import { useState, type FormEvent } from 'react';
import { API_KEY_NAME_MAX_CHARACTERS, type KeyScope } from '#libs/contract/api-keys.js';
import { Dialog } from '../../../shared/ui/dialog';
import { DialogButtons } from '../../../shared/ui/dialog-buttons';
import { FieldFrame } from '../../../shared/ui/field-frame';
import { Notice } from '../../../shared/ui/notice';
import { Select } from '../../../shared/ui/select';
import { TextField } from '../../../shared/ui/text-field';
import { SecretDialog } from '../secret-dialog';
import { useCreateApiKey } from './api-keys';
import { LimitFields, readLimits, type Limits } from './limit-fields';
import { ScopeFields } from './scope-fields';
import { scopesInOrder } from './scope-labels';

const DAY_MS = 86_400_000;
const lifetimes = { 30: '30 days', 90: '90 days', 365: 'One year', 0: 'No expiry' };

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateApiKey();
  if (create.data !== undefined)
    return (
      <SecretDialog title="Your new API key" noun="API key" secret={create.data.secret} onClose={onClose}>
        Send it with each request: <code className="font-mono text-sm">Authorization: Bearer prk_…</code>
      </SecretDialog>
    );
  return (
    <Dialog label="New API key" wide guarded={create.isPending} onClose={onClose}>
      <NewKeyForm create={create} onClose={onClose} />
    </Dialog>
  );
}

function NewKeyForm({
  create,
  onClose,
}: {
  create: ReturnType<typeof useCreateApiKey>;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<KeyScope[]>(['images', 'read']);
  const [days, setDays] = useState(90);
  const [limits, setLimits] = useState<Limits>({ monthlyJobs: '', monthlyCredits: '', ratePerMinute: '' });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    create.mutate({ name, scopes, expiresAt, ...readLimits(limits) });
  };
  return (
    <form onSubmit={submit} className="grid gap-5">
      <h2 aria-hidden="true" className="pr-10 text-2xl">
        New API key
      </h2>
      <TextField
        label="Name"
        hint="What will use it, such as “Nightly product photos”."
        dir="auto"
        value={name}
        maxLength={API_KEY_NAME_MAX_CHARACTERS}
        autoComplete="off"
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ScopeFields offered={scopesInOrder} scopes={scopes} onChange={setScopes} />
      <FieldFrame id="key-lifetime" label="Expires after">
        <Select
          id="key-lifetime"
          value={days}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
        >
          {Object.entries(lifetimes).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FieldFrame>
      <LimitFields limits={limits} onChange={setLimits} />
      {create.error && <Notice tone="danger">{create.error.message}</Notice>}
      <DialogButtons
        busy={create.isPending}
        disabled={name.trim() === '' || scopes.length === 0}
        onClose={onClose}
      >
        Create the key
      </DialogButtons>
    </form>
  );
}
