import { useState } from 'react';
import { Dialog } from './dialog';
import { DialogButtons } from './dialog-buttons';
import { TextField } from './text-field';

interface NameDialogProps {
  title: string;
  label: string;
  name: string;
  maxLength: number;
  /** Text of the button. */
  action: string;
  busy: boolean;
  error?: string;
  onName: (name: string) => void;
  onClose: () => void;
}

/** A dialog that asks for a name. */
export function NameDialog(props: NameDialogProps) {
  const { title, label, name, maxLength, action, busy, error, onName, onClose } = props;
  const [value, setValue] = useState(name);
  const trimmed = value.trim();
  return (
    <Dialog label={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (trimmed === name) onClose();
          else if (trimmed !== '') onName(trimmed);
        }}
        className="grid gap-5"
      >
        <h2 aria-hidden="true" className="pr-10 text-2xl">
          {title}
        </h2>
        <TextField
          label={label}
          dir="auto"
          value={value}
          maxLength={maxLength}
          autoComplete="off"
          error={error}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={(event) => setValue(event.target.value)}
        />
        <DialogButtons busy={busy} disabled={trimmed === ''} onClose={onClose}>
          {action}
        </DialogButtons>
      </form>
    </Dialog>
  );
}
