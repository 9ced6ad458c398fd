import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { CancelRunQuestion } from '../../modules/runs/lists/cancel-run-question';
import { batchKind, flowKind } from '../../modules/runs/lists/run-kinds';
import type { RunSummary } from '../../modules/runs/lists/run-summary';
import { Button } from '../../shared/ui/button';
import { PageHeading } from '../../shared/ui/page-heading';
import { ProgressBar } from '../../shared/ui/progress-bar';

interface RunHeaderProps {
  run: RunSummary;
  action?: ReactNode;
  /** Element that gets the focus when the focused Cancel button disappears. */
  list: RefObject<HTMLElement | null>;
  /** Text of the progress, and notices. */
  children: ReactNode;
}

/** Header of a batch's or flow's page: heading, Cancel button and progress. */
export function RunHeader({ run, action, list, children }: RunHeaderProps) {
  const [isAsking, setIsAsking] = useState(false);
  const actions = useRef<HTMLDivElement>(null);
  const { noun } = run.kind === 'batch' ? batchKind : flowKind;
  const canCancel = run.isOpen || run.isStopped;
  return (
    <>
      <PageHeading
        actions={
          <div ref={actions} className="flex flex-wrap gap-2 empty:hidden">
            {canCancel && (
              <Button aria-expanded={isAsking} onClick={() => setIsAsking(!isAsking)}>
                Cancel the rest
              </Button>
            )}
            {action}
          </div>
        }
      >
        {run.title}
      </PageHeading>
      <div className="mb-8 grid gap-3">
        {canCancel && isAsking && (
          <CancelRunQuestion
            run={run}
            onClose={() => {
              setIsAsking(false);
              (actions.current?.querySelector<HTMLElement>('[aria-expanded]') ?? list.current)?.focus({
                preventScroll: true,
              });
            }}
          />
        )}
        {run.isOpen && (
          <ProgressBar label={`Progress of the ${noun}`} percent={run.percent} kind="measured" />
        )}
        {children}
      </div>
    </>
  );
}
