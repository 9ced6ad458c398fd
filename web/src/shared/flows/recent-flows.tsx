import { Link } from 'react-router-dom';
import type { FlowName } from '#libs/contract/flow-steps.js';
import { useFlows } from '../flow-state/flow-cache';
import { paths } from '../paths';
import { FlowRow } from './flow-row';

const SHOWN = 3;

/** The latest runs, of one flow or of all; nothing where there is none. */
export function RecentFlows({ flow, title }: { flow?: FlowName; title: string }) {
  const flows = useFlows().filter((one) => flow === undefined || one.flow === flow);
  if (flows.length === 0) return null;
  return (
    <section aria-label={title} className="w-full">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className={flow === undefined ? 'text-2xl' : 'text-lg'}>{title}</h2>
        <Link to={paths.flows} className="text-sm text-quiet underline underline-offset-4 hover:text-ink">
          All runs
        </Link>
      </div>
      <ul className="mt-3 border-t border-line">
        {flows.slice(0, SHOWN).map((one) => (
          <FlowRow key={one.id} flow={one} />
        ))}
      </ul>
    </section>
  );
}
