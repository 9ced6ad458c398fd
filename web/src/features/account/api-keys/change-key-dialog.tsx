import { useState } from 'react';
import { API_KEY_NAME_MAX_CHARACTERS, type ApiKey } from '#libs/contract/api-keys.js';
import { Dialog } from '../../../shared/ui/dialog';
import { DialogButtons } from '../../../shared/ui/dialog-buttons';
import { Notice } from '../../../shared/ui/notice';
import { TextField } from '../../../shared/ui/text-field';
import { useChangeApiKey } from './api-keys';
import { LimitFields, readLimits, type Limits } from './limit-fields';

export function ChangeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const change = useChangeApiKey();
  const [name, setName] = useState(apiKey.name);
  const [limits, setLimits] = useState<Limits>({
    monthlyJobs: textOf(apiKey.monthlyJobs),
    monthlyCredits: textOf(apiKey.monthlyCredits),
    ratePerMinute: textOf(apiKey.ratePerMinute),
  });
  const title = apiKey.clientId === null ? 'Change the API key' : 'Change the app';
  return (
    <Dialog label={title} wide onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ id: apiKey.id, name, ...readLimits(limits) }, { onSuccess: onClose });
        }}
        className="grid gap-5"
      >
        <h2 aria-hidden="true" className="pr-10 text-2xl">
          {title}
        </h2>
        <TextField
          label="Name"
          dir="auto"
          value={name}
          maxLength={API_KEY_NAME_MAX_CHARACTERS}
          autoComplete="off"
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <LimitFields limits={limits} onChange={setLimits} />
        {change.error && <Notice tone="danger">{change.error.message}</Notice>}
        <DialogButtons busy={change.isPending} disabled={name.trim() === ''} onClose={onClose}>
          Save
        </DialogButtons>
      </form>
    </Dialog>
  );
}

const textOf = (limit: number | null) => (limit === null ? '' : String(limit));
