import { useEffect, useState } from 'react';
import { Check } from 'lucide-react';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { RegisterMarks } from '../../shared/ui/register-marks';
import { Spinner } from '../../shared/ui/spinner';
import { recordedRun } from './recorded-run';

const total = recordedRun.lines.reduce((sum, { text }) => sum + text.length, 0);

/** The product at work: a recorded run, set again before the visitor's eyes. The text is there in whole for all. */
export function ProofRun() {
  const set = usePlayback();
  const done = set >= total;
  let before = 0;
  return (
    <figure
      className="sheet relative px-7 pt-10 pb-12 sm:px-12 sm:pt-14 sm:pb-16"
      aria-label="An article being written"
    >
      <RegisterMarks />
      <figcaption className="mb-8">
        <span className="mb-3 flex items-center gap-2.5 text-sm text-quiet">
          {done ? (
            <Check aria-hidden="true" className="size-4 text-success" />
          ) : (
            <Spinner className="size-4 text-live" />
          )}
          {done ? 'Done' : 'Writing'}
          <span className="ml-auto font-mono text-xs">
            {Math.round((Math.min(set, total) / total) * 100)}%
          </span>
        </span>
        <ProgressBar label="Progress of the sample run" percent={(set / total) * 100} measured />
      </figcaption>
      <div className="grid gap-4">
        {recordedRun.lines.map(({ kind, text }) => {
          const shown = Math.min(text.length, Math.max(0, set - before));
          before += text.length;
          return (
            <p key={text} className={looks[kind]}>
              {text.slice(0, shown)}
              <span className="opacity-0 noscript:opacity-100">{text.slice(shown)}</span>
            </p>
          );
        })}
      </div>
    </figure>
  );
}

const looks = {
  title: 'display text-3xl sm:text-4xl',
  heading: 'display mt-3 text-xl sm:text-2xl',
  text: 'leading-relaxed text-quiet',
};

/** Characters that appear together: fewer would be drawn without being seen. */
const AT_ONCE = 4;
const BEGIN_MS = 900;

/** How many characters are set by now; all of them at once for who wants no motion. */
function usePlayback(): number {
  const [set, setSet] = useState(0);
  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      setSet(total);
      return;
    }
    const start = performance.now() + BEGIN_MS;
    // Not by the frame: nine of ten frames have nothing new to show, and each costs a phone its share.
    const timer = setInterval(() => {
      const next = Math.max(
        0,
        Math.floor((performance.now() - start) / recordedRun.millisecondsPerCharacter),
      );
      setSet(Math.min(next, total));
      if (next >= total) clearInterval(timer);
    }, AT_ONCE * recordedRun.millisecondsPerCharacter);
    return () => clearInterval(timer);
  }, []);
  return set;
}
