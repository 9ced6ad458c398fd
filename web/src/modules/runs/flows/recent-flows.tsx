import type { FlowName } from '#libs/contract/flows.js';
import { useFlows } from './flow-cache';
import { RecentList } from '../../../shared/ui/recent-list';
import { paths } from '../../../shared/paths';
import { FlowRow } from './flow-row';

/** The latest runs, of one flow or of all; nothing where there is none. */
export function RecentFlows({ flow, title }: { flow?: FlowName; title: string }) {
  const flows = useFlows().filter((one) => flow === undefined || one.flow === flow);
  return (
    <RecentList
      title={title}
      isOwnSection={flow === undefined}
      all={{ path: paths.flows, label: 'All runs' }}
      rows={flows.map((one) => (
        <FlowRow key={one.id} flow={one} />
      ))}
    />
  );
}
