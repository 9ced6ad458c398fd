interface ProgressBarProps {
  label: string;
  /** 0 to 100. */
  percent: number;
  /** False while the present stage has no measure: the edge shimmers instead of moving. */
  measured: boolean;
}

/** The press's bar: it moves only when work moves. */
export function ProgressBar({ label, percent, measured }: ProgressBarProps) {
  const share = Math.min(100, Math.max(0, percent));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share)}
      className="press-bar"
      data-measured={measured}
    >
      <div className="press-bar-run" style={{ transform: `scaleX(${share / 100})` }} />
      <div className="press-bar-edge" style={{ transform: `translateX(${share}%)` }} />
    </div>
  );
}
