import { scoreTone } from './read-report';

const tones = {
  low: { bar: 'bg-danger', label: 'Low match' },
  middling: { bar: 'bg-[#b98700] dark:bg-[#f2c500]', label: 'Partial match' },
  high: { bar: 'bg-success', label: 'Strong match' },
};

export function ScoreBar({ score }: { score: number }) {
  const { bar, label } = tones[scoreTone(score)];
  return (
    <section>
      <div className="flex items-end justify-between gap-4">
        <div>
          <h3 className="text-xl">Overall ATS Score</h3>
          <p className="mt-1 text-sm text-quiet">{label}</p>
        </div>
        <p className="display text-4xl whitespace-nowrap">
          {score}
          <span className="text-2xl text-quiet">/100</span>
        </p>
      </div>
      <div
        role="meter"
        aria-label="Overall ATS Score"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={score}
        className="mt-4 h-3 overflow-hidden rounded-full bg-line"
      >
        <div className={`h-full rounded-full ${bar}`} style={{ width: `${score}%` }} />
      </div>
    </section>
  );
}
