import { CircleAlert, Workflow } from 'lucide-react';
import type { Flow } from '#libs/contract/flows.js';
import { Spinner } from '../../../shared/ui/spinner';

/** Decorative: the text beside it says the same. */
export function FlowIcon({ flow: { status } }: { flow: Flow }) {
  switch (status) {
    case 'open':
      return <Spinner className="size-4 text-live" />;
    case 'stopped':
      return <CircleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />;
    case 'ended':
    case 'cancelled':
      return <Workflow aria-hidden="true" className="size-4 shrink-0 text-quiet" />;
  }
}
