import { CircleAlert, Images, Upload, Workflow } from 'lucide-react';
import { Spinner } from '../../../shared/ui/spinner';
import type { RunSummary } from './run-summary';

/** Decorative: the text next to it says the same. */
export function RunIcon({ run, className }: { run: RunSummary; className: 'size-4' | 'size-5' }) {
  if (run.isAtWork) return <Spinner className={`${className} text-live`} />;
  if (run.hasFailed && !run.isOpen)
    return <CircleAlert aria-hidden="true" className={`${className} shrink-0 text-danger`} />;
  const Icon = run.kind === 'flow' ? Workflow : run.isOpen ? Upload : Images;
  return <Icon aria-hidden="true" className={`${className} shrink-0 text-quiet`} />;
}
