import { useState } from 'react';
import { useChangeParameters } from '../../shared/lib/use-change-parameters';
import { TextField } from '../../shared/ui/text-field';

interface TimeFilterProps {
  /** Name of the URL parameter, which holds a time in UTC. */
  name: string;
  label: string;
  value: string | undefined;
}

/** A time of a filter, in the time zone of the browser. */
export function TimeFilter({ name, label, value }: TimeFilterProps) {
  const change = useChangeParameters();
  /** The text while the user types; null otherwise. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextField
      type="datetime-local"
      label={label}
      min="1000-01-01T00:00"
      value={typed ?? toLocal(value)}
      onChange={({ currentTarget }) => {
        const text = currentTarget.value;
        setTyped(text);
        // The year has leading zeros while it is typed.
        if (text === '') change({ [name]: null });
        else if (!text.startsWith('0')) change({ [name]: new Date(text).toISOString() });
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

/** Parses a time of a URL parameter. @returns ISO 8601 in UTC; undefined if it is no time */
export const timeOf = (text: string | null): string | undefined =>
  text === null || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();

function toLocal(time: string | undefined): string {
  if (time === undefined) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
