import { lazy, Suspense, useId, useState } from 'react';
import { Workflow } from 'lucide-react';
import { Button } from '../../../shared/ui/button';
import { Loading } from '../../../shared/ui/spinner';
import type { FlowPanelProps } from './flow-panel';

// Loaded only when the user opens the panel.
const FlowPanel = lazy(() => import('./flow-panel').then(({ FlowPanel }) => ({ default: FlowPanel })));

export interface FlowOfferProps extends Omit<FlowPanelProps, 'id'> {
  /** True if the panel is initially open. */
  isOpen?: boolean;
}

/** Expandable panel to start a flow: this tool, followed by tools that take its result as input. */
export function FlowOffer({ isOpen = false, ...panel }: FlowOfferProps) {
  const id = useId();
  const [open, setOpen] = useState(isOpen);
  return (
    <section
      aria-label="Run all steps"
      className="mt-4 grid gap-4 sm:justify-items-start lg:justify-items-stretch"
    >
      <Button
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="w-full sm:w-auto lg:w-full"
      >
        <Workflow aria-hidden="true" className="size-4" />
        Run all steps
      </Button>
      {open && (
        <Suspense fallback={<Loading label="Loading the steps" />}>
          <FlowPanel id={id} {...panel} />
        </Suspense>
      )}
    </section>
  );
}
