import { useId } from 'react';
import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';

interface ToolRadiosProps<V extends string> {
  legend: string;
  value: V;
  options: readonly { value: V; label: string; icon: LucideIcon; disabled?: boolean; key?: string }[];
  onChange: (value: V) => void;
}

export function ToolRadios<V extends string>({ legend, value, options, onChange }: ToolRadiosProps<V>) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{legend}</legend>
      <div className="flex rounded-control border border-edge p-0.5">
        {options.map(({ icon: Icon, ...option }) => (
          <label
            key={option.value}
            title={option.key === undefined ? undefined : `${option.label} (${option.key})`}
            className={clsx(
              'relative flex min-h-9 items-center gap-2 rounded-[6px] px-2.5 text-sm whitespace-nowrap transition-colors duration-150',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-live',
              option.disabled && 'cursor-default! opacity-50',
              option.value === value
                ? 'bg-ink font-semibold text-page'
                : 'text-quiet not-has-disabled:hover:bg-tint not-has-disabled:hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
              className="absolute size-px opacity-0"
            />
            <Icon aria-hidden="true" className="size-4 shrink-0" />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
