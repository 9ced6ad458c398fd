import { useId } from 'react';

interface RangeFieldProps {
  label: string;
  min: number;
  max: number;
  value: number;
  /** The value as text, with its unit. */
  text: string;
  onChange: (value: number) => void;
}

export function RangeField({ label, min, max, value, text, onChange }: RangeFieldProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-4">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <output htmlFor={id} className="font-mono text-xs text-quiet">
        {text}
      </output>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        value={value}
        aria-valuetext={text}
        onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
        className="col-span-2 h-9 w-full accent-accent"
      />
    </div>
  );
}
