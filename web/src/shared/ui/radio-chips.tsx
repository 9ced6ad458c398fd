import clsx from 'clsx';

export interface RadioChipsProps<V extends string | number> {
  legend: string;
  name: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
  /** True to stack the options vertically, for long labels. */
  stacked?: boolean;
}

export function RadioChips<V extends string | number>(props: RadioChipsProps<V>) {
  const { legend, name, value, options, onChange, stacked = false } = props;
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{legend}</legend>
      <div className={clsx('mt-2', stacked ? 'grid gap-1.5' : 'flex flex-wrap gap-2')}>
        {options.map((option) => {
          const chosen = option.value === value;
          return (
            <label
              key={option.value}
              className={clsx(
                'relative flex min-h-11 items-center gap-3 rounded-control border px-3.5 text-[0.9375rem] transition-colors duration-150',
                'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-live',
                chosen
                  ? 'border-ink bg-raised font-semibold'
                  : 'border-line text-quiet hover:border-edge hover:text-ink',
              )}
            >
              <input
                type="radio"
                name={name}
                value={option.value}
                checked={chosen}
                onChange={() => onChange(option.value)}
                className="absolute size-px opacity-0"
              />
              <RadioMark chosen={chosen} />
              {option.label}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

function RadioMark({ chosen }: { chosen: boolean }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" fill="none" stroke="currentColor" className="size-4 shrink-0">
      <circle cx="8" cy="8" r="4.5" strokeWidth="1.25" />
      {chosen && <circle cx="8" cy="8" r="2.25" fill="var(--accent)" stroke="none" />}
      {chosen && <path d="M8 0v3.5M8 12.5V16M0 8h3.5M12.5 8H16" strokeWidth="1.25" />}
    </svg>
  );
}
