import { useEffect, useState } from 'react';
import { Check } from 'lucide-react';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { CornerMarks } from '../../shared/ui/corner-marks';
import { Spinner } from '../../shared/ui/spinner';
import data from './recorded-run.json' with { type: 'json' };

const recordedRun = data as {
  millisecondsPerCharacter: number;
  lines: { kind: keyof typeof lineClasses; text: string }[];
};

const total = recordedRun.lines.reduce((sum, { text }) => sum + text.length, 0);

/** Replays a recorded run. The whole text is in the DOM; characters that are not played yet are transparent. */
export function RecordedRunPlayer() {
  const played = usePlayback();
  const done = played >= total;
  let before = 0;
  return (
    <figure
      className="panel relative px-7 pt-10 pb-12 sm:px-12 sm:pt-14 sm:pb-16"
      aria-label="An article being written"
    >
      <CornerMarks />
      <figcaption className="mb-8">
        <span className="mb-3 flex items-center gap-2.5 text-sm text-quiet">
          {done ? (
            <Check aria-hidden="true" className="size-4 text-success" />
          ) : (
            <Spinner className="size-4 text-live" />
          )}
          {done ? 'Done' : 'Writing'}
          <span className="ml-auto font-mono text-xs">
            {Math.round((Math.min(played, total) / total) * 100)}%
          </span>
        </span>
        <ProgressBar label="Progress of the sample run" percent={(played / total) * 100} kind="measured" />
      </figcaption>
      <div className="grid gap-4">
        {recordedRun.lines.map(({ kind, text }) => {
          const shown = Math.min(text.length, Math.max(0, played - before));
          before += text.length;
          return (
            <p key={text} className={lineClasses[kind]}>
              {text.slice(0, shown)}
              <span className="opacity-0 noscript:opacity-100">{text.slice(shown)}</span>
            </p>
          );
        })}
      </div>
    </figure>
  );
}

const lineClasses = {
  title: 'display text-3xl sm:text-4xl',
  heading: 'display mt-3 text-xl sm:text-2xl',
  text: 'leading-relaxed text-quiet',
};

const STEP = 4;
const START_DELAY_MS = 900;

/** Number of characters played so far. If the user prefers reduced motion, all characters from the start. */
function usePlayback(): number {
  const [played, setPlayed] = useState(0);
  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      setPlayed(total);
      return;
    }
    const start = performance.now() + START_DELAY_MS;
    // A timer instead of animation frames, of which nine in ten would have nothing new to show.
    const timer = setInterval(() => {
      const next = Math.max(
        0,
        Math.floor((performance.now() - start) / recordedRun.millisecondsPerCharacter),
      );
      setPlayed(Math.min(next, total));
      if (next >= total) clearInterval(timer);
    }, STEP * recordedRun.millisecondsPerCharacter);
    return () => clearInterval(timer);
  }, []);
  return played;
}
