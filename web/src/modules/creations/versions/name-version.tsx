import { useState, type FormEvent } from 'react';
import toast from 'react-hot-toast';
import { VERSION_LABEL_MAX, type CreationVersion } from '#libs/contract/creation-versions.js';
import { Button } from '../../../shared/ui/button';
import { TextField } from '../../../shared/ui/text-field';
import { useNameVersion } from './versions';

interface NameVersionProps {
  creationId: string;
  version: CreationVersion;
  onDone: () => void;
}

/** The form that names a version. Later saves do not replace a named version. */
export function NameVersion({ creationId, version, onDone }: NameVersionProps) {
  const [label, setLabel] = useState(version.named ? version.label : '');
  const name = useNameVersion(creationId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    name.mutate(
      { version: version.id, label: label.trim() },
      { onSuccess: onDone, onError: ({ message }) => toast.error(message) },
    );
  };
  return (
    <form onSubmit={submit} className="flex min-w-0 flex-1 flex-wrap items-end gap-2">
      <div className="min-w-48 flex-1">
        <TextField
          label={`Name of version ${version.number}`}
          value={label}
          maxLength={VERSION_LABEL_MAX}
          autoComplete="off"
          // The field replaces the focused button.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          onChange={(event) => setLabel(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onDone()}
        />
      </div>
      <Button type="submit" size="small" busy={name.isPending} disabled={label.trim() === ''}>
        Save
      </Button>
      <Button variant="quiet" size="small" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}
