interface MeterProps {
  /** Either this or the id of an element. */
  label?: string;
  labelledBy?: string;
  value: number;
  /** A meter of 0 is full. */
  max: number;
  /** Text for screen readers. */
  detail: string;
  isWarning: boolean;
}

/** The used part of a limit. */
export function Meter({ label, labelledBy, value, max, detail, isWarning }: MeterProps) {
  // A maximum of 0 is shown as 1 of 1, since it must be above the minimum.
  const [limit, used] = max > 0 ? [max, Math.min(value, max)] : [1, 1];
  return (
    <div
      role="meter"
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={used}
      aria-valuetext={detail}
      className="h-1.5 overflow-hidden rounded-full bg-line forced-colors:border"
    >
      <div
        className={`h-full origin-left rounded-full forced-colors:bg-[CanvasText] ${isWarning ? 'bg-danger' : 'bg-accent'}`}
        style={{ transform: `scaleX(${used / limit})` }}
      />
    </div>
  );
}
