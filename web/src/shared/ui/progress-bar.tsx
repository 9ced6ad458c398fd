interface ProgressBarProps {
  label: string;
  /** From 0 to 100. */
  percent: number;
  /** The bar is dashed for `estimated`. For `unknown`, it shimmers and screen readers get no percentage. */
  kind: 'measured' | 'estimated' | 'unknown';
  /** Text for screen readers. */
  detail?: string;
}

export function ProgressBar({ label, percent, kind, detail = '' }: ProgressBarProps) {
  const value = Math.min(100, Math.max(0, percent));
  const rounded = Math.round(value);
  const number = kind === 'unknown' ? '' : `${kind === 'estimated' ? 'about ' : ''}${rounded}%`;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={kind === 'unknown' ? undefined : rounded}
      aria-valuetext={[number, detail].filter(Boolean).join(', ') || undefined}
      className="progress-bar"
      data-kind={kind}
    >
      <div className="progress-bar-fill" style={{ clipPath: `inset(0 ${100 - value}% 0 0)` }} />
      <div className="progress-bar-edge" style={{ transform: `translateX(${value}%)` }} />
    </div>
  );
}
