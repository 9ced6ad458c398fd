import { useState, type FormEvent } from 'react';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { TextField } from '../../../shared/ui/text-field';

interface LinkDialogProps {
  /** Address of the link at the cursor; empty if there is no link. */
  href: string;
  /** Called with the new address, or with '' to remove the link. */
  onSet: (href: string) => void;
  onClose: () => void;
}

export function LinkDialog({ href, onSet, onClose }: LinkDialogProps) {
  const [address, setAddress] = useState(href);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const full = fullAddress(address.trim());
    if (full === null) setError('Enter a web address, such as example.com, or an email address.');
    else onSet(full);
  };
  return (
    <Dialog label={href === '' ? 'Add link' : 'Edit link'} onClose={onClose}>
      <h2 aria-hidden="true" className="text-xl">
        {href === '' ? 'Add link' : 'Edit link'}
      </h2>
      <form onSubmit={submit} noValidate className="mt-4 grid gap-4">
        <TextField
          label="Address"
          value={address}
          placeholder="https://example.com"
          inputMode="url"
          autoComplete="off"
          error={error}
          onChange={(event) => {
            setAddress(event.target.value);
            setError(undefined);
          }}
        />
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" type="submit">
            {href === '' ? 'Add' : 'Save'}
          </Button>
          {href !== '' && <Button onClick={() => onSet('')}>Remove link</Button>}
        </div>
      </form>
    </Dialog>
  );
}

/** Adds a missing protocol (`https:` or `mailto:`); null if the text is not an address. */
function fullAddress(text: string): string | null {
  if (/^#\S+$/.test(text)) return text;
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return `mailto:${text}`;
  const full = /^(https?:\/\/|mailto:)/i.test(text) ? text : `https://${text}`;
  return URL.canParse(full) && /[.:]|localhost/.test(full.slice(8)) && !/\s/.test(text) ? full : null;
}
