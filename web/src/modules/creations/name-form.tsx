import { useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../shared/ui/button';
import { TextField } from '../../shared/ui/text-field';

interface NameFormProps {
  label: string;
  name: string;
  maxLength: number;
  busy: boolean;
  onName: (name: string) => void;
  onCancel: () => void;
  /** Additional buttons after Save. */
  children?: ReactNode;
}

/** A name field that replaces the button that opened it. Escape cancels. */
export function NameForm({ label, name, maxLength, busy, onName, onCancel, children }: NameFormProps) {
  const [value, setValue] = useState(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onName(value.trim());
  };
  return (
    <form onSubmit={submit} className="flex w-full flex-wrap items-end gap-2">
      <div className="min-w-48 flex-1 sm:max-w-sm">
        <TextField
          label={label}
          value={value}
          maxLength={maxLength}
          autoComplete="off"
          // Autofocus, since the field replaces the focused button.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={(event) => setValue(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        />
      </div>
      <Button type="submit" size="small" busy={busy} disabled={value.trim() === ''}>
        Save
      </Button>
      {children}
      <Button variant="quiet" size="small" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
