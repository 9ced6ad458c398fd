interface ProgressBarProps {
  label: string;
  /** 0 to 100. */
  percent: number;
  /** False while the progress is unknown: the edge shimmers. */
  measured: boolean;
}

export function ProgressBar({ label, percent, measured }: ProgressBarProps) {
  const value = Math.min(100, Math.max(0, percent));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(value)}
      className="progress-bar"
      data-measured={measured}
    >
      <div className="progress-bar-fill" style={{ transform: `scaleX(${value / 100})` }} />
      <div className="progress-bar-edge" style={{ transform: `translateX(${value}%)` }} />
    </div>
  );
}
