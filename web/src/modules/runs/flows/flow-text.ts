import type { Flow } from '#libs/contract/flows.js';

const countOf = ({ steps }: Flow, ...states: Flow['steps'][number]['state'][]) =>
  steps.filter(({ state }) => states.includes(state)).length;

/** Steps that ended, of those that were not left out, in percent. */
export function percentOf(flow: Flow): number {
  const wanted = flow.steps.length - countOf(flow, 'left-out');
  const ended = countOf(flow, 'succeeded', 'failed', 'cancelled');
  return wanted === 0 ? 100 : Math.round((ended / wanted) * 100);
}

/** "2 of 4 steps done, 1 not finished". */
export function progressText(flow: Flow): string {
  const [failed, cancelled, leftOut] = [
    countOf(flow, 'failed'),
    countOf(flow, 'cancelled'),
    countOf(flow, 'left-out'),
  ];
  return [
    flow.status === 'cancelled' && 'Cancelled',
    `${countOf(flow, 'succeeded')} of ${flow.steps.length} steps done`,
    failed > 0 && `${failed} not finished`,
    cancelled > 0 && `${cancelled} cancelled`,
    leftOut > 0 && `${leftOut} left out`,
  ]
    .filter(Boolean)
    .join(', ');
}
