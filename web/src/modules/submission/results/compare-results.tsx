import { useRef, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import toast from 'react-hot-toast';
import { ArrowDown, Check, Columns2, Undo2 } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { useCreation } from '../../creations/api/creation-pages';
import { useDeleteCreations, useRestoreCreations } from '../../creations/api/change-creation';
import { isNotFound } from '../../../shared/http/http';
import { Markdown } from '../../../shared/markdown/markdown';
import { paths } from '../../../shared/paths';
import { Button } from '../../../shared/ui/button';
import { showUndo } from '../../../shared/ui/undo-toast';

export interface CompareResultsProps {
  earlierId: string;
  /** The new creation; undefined until its job has finished. */
  newResult: Creation | undefined;
  /** True if the new job failed or was cancelled. */
  stopped: boolean;
  /** Called with the creation that the user kept, or with null if the user kept both. */
  onChosen: (chosen: Creation | null) => void;
  /** The new result so far. */
  children: ReactNode;
  /** Renders the earlier creation. Default: its text. */
  showEarlier?: (earlier: Creation) => ReactNode;
  /** Renders the difference between the two, above both. */
  showChange?: (earlier: Creation, newResult: Creation) => ReactNode;
}

const showText = ({ content }: Creation) => <Markdown text={content} />;

/** Shows a new result next to the earlier result, until the user decides to keep one or both. */
export function CompareResults({
  earlierId,
  newResult,
  stopped,
  onChosen,
  children,
  showEarlier = showText,
  showChange,
}: CompareResultsProps) {
  const { data: earlier, failureReason } = useCreation(earlierId);
  const before = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const remove = useDeleteCreations();
  const restore = useRestoreCreations();
  // If the earlier creation is not loaded, or was deleted, show only the new result.
  if (earlier === undefined || isNotFound(failureReason) || earlier.id === newResult?.id) return children;

  const failed = ({ message }: Error) => void toast.error(message);
  const show = (chosen: Creation) => {
    // The job of an old creation may be deleted, so show the creation's own page instead of the job.
    if (chosen.jobId === null) void navigate(paths.creation(chosen.id));
    else onChosen(chosen);
  };
  const keep = (chosen: Creation, other: Creation) => {
    // Use promises, not the mutations' callbacks, which don't run because `show` unmounts this component.
    show(chosen);
    const undo = () =>
      void restore.mutateAsync([other.id]).then(() => void toast.success('Both results are kept'), failed);
    remove.mutateAsync([other]).then(() => showUndo('The other result was deleted', undo), failed);
  };
  const column = (
    title: string,
    keepLabel: string,
    mine: Creation | undefined,
    other: Creation | undefined,
  ) => (
    <header className="mb-4 flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line pb-2">
      <h3 className="text-lg">{title}</h3>
      {!stopped && (
        <Button
          size="small"
          disabled={mine === undefined || other === undefined}
          onClick={() => mine !== undefined && other !== undefined && keep(mine, other)}
        >
          <Check aria-hidden="true" className="size-4" />
          {keepLabel}
        </Button>
      )}
    </header>
  );
  return (
    <div className="@container">
      <div
        role="group"
        aria-label="Two results"
        className="mb-6 flex flex-wrap items-center gap-3 rounded-control bg-sunken p-3"
      >
        <Columns2 aria-hidden="true" className="size-4 shrink-0 text-quiet" />
        <p className="min-w-40 flex-1 text-sm text-quiet">
          {stopped
            ? 'The earlier result is unchanged.'
            : newResult?.content.trim() === earlier.content.trim()
              ? 'Both results are identical.'
              : 'The earlier result is still saved. Choose one, or keep both.'}
        </p>
        <Button
          size="small"
          variant="quiet"
          // In a wide container, both results are visible side by side, so hide the button.
          className="@lg:hidden"
          onClick={() => {
            before.current?.focus({ preventScroll: true });
            before.current?.scrollIntoView();
          }}
        >
          <ArrowDown aria-hidden="true" className="size-4" />
          Back to the earlier result
        </Button>
        {stopped ? (
          <Button size="small" onClick={() => show(earlier)}>
            <Undo2 aria-hidden="true" className="size-4" />
            Show only the new result
          </Button>
        ) : (
          <Button size="small" onClick={() => onChosen(null)}>
            Keep both
          </Button>
        )}
      </div>
      {newResult !== undefined && showChange?.(earlier, newResult)}
      <div className="grid gap-10 @lg:grid-cols-2 @lg:gap-6">
        <section aria-label="New result" className="min-w-0">
          {column('New', 'Keep only the new result', newResult, earlier)}
          {children}
        </section>
        <section
          ref={before}
          aria-label="Earlier result"
          tabIndex={-1}
          className="min-w-0 scroll-mt-24 outline-none sm:scroll-mt-64 @lg:border-l @lg:border-line @lg:pl-6"
        >
          {column('Earlier', 'Keep only the earlier result', earlier, newResult)}
          {showEarlier(earlier)}
        </section>
      </div>
    </div>
  );
}
