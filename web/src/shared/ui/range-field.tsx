import { useId, type CSSProperties } from 'react';
import clsx from 'clsx';

interface RangeFieldProps {
  label: string;
  min?: number;
  max?: number;
  value: number;
  /** Value with its unit, for screen readers. */
  text: string;
  /** Visible value. Default: `text`. */
  displayText?: string;
  /** True to put label, slider and value on one line. */
  inline?: boolean;
  onChange: (value: number) => void;
}

export function RangeField(props: RangeFieldProps) {
  const { label, min = 0, max = 100, value, text, displayText = text, inline = false, onChange } = props;
  const id = useId();
  return (
    <div
      className={clsx(
        'items-center whitespace-nowrap',
        inline ? 'flex gap-3' : 'grid grid-cols-[1fr_auto] gap-x-4',
      )}
    >
      <label htmlFor={id} className={clsx('text-sm font-semibold', inline && 'w-19 shrink-0')}>
        {label}
      </label>
      <span
        aria-hidden="true"
        className={clsx('text-right font-mono text-xs text-quiet', inline && 'order-last w-14 shrink-0')}
      >
        {displayText}
      </span>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        value={value}
        aria-valuetext={text}
        onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
        style={{ '--part': (value - min) / (max - min) } as CSSProperties}
        className={clsx('range', inline ? 'min-w-20 flex-1' : 'col-span-2 w-full')}
      />
    </div>
  );
}
