import { useEffect, useId, useRef, useState } from 'react';
import { Search, X } from 'lucide-react';
import { controlClass } from './field-frame';

interface SearchBoxProps {
  label: string;
  placeholder?: string;
  value: string;
  /** Called when the user stops typing. */
  onChange: (value: string) => void;
}

const DEBOUNCE_MS = 250;

export function SearchBox({ label, placeholder, value, onChange }: SearchBoxProps) {
  const id = useId();
  /** The text as typed; null if it equals `value`, which follows trimmed and after a delay. */
  const [typed, setTyped] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const send = () => {
    if (typed !== null && typed.trim() !== value) onChange(typed.trim());
  };
  const sendRef = useRef(send);
  useEffect(() => {
    sendRef.current = send;
  });
  useEffect(() => {
    const timer = setTimeout(() => sendRef.current(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const displayed = typed ?? value;
  return (
    <div className="relative">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3.5 size-4 -translate-y-1/2 text-quiet"
      />
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        ref={input}
        id={id}
        type="text"
        maxLength={200}
        value={displayed}
        placeholder={placeholder}
        autoComplete="off"
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => {
          send();
          setTyped(null);
        }}
        className={`${controlClass} pr-11 pl-10`}
      />
      {displayed !== '' && (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            onChange('');
            setTyped('');
            input.current?.focus();
          }}
          className="absolute top-1/2 right-1.5 grid size-9 touch:right-0 touch:size-11 -translate-y-1/2 place-items-center rounded-control text-quiet hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
}
