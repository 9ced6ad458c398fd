import type { Flow } from '#libs/contract/flows.js';
import { RunStore, type RunEntry } from './run-store';

/** The user's flows that this tab has received. `onEnd` also reports flows that stop at a failed step. */
export class FlowStore extends RunStore<Flow, Flow> {
  protected createEntry = (): RunEntry<Flow, Flow> => ({ run: null, view: null });
  protected viewOf = (_entry: RunEntry<Flow, Flow>, flow: Flow) => flow;
  protected merge = (flow: Flow) => flow;
  protected applyDetails() {}
  protected isOpen = ({ status }: Flow) => status === 'open';
  protected isReportedEnd = ({ status }: Flow) => status === 'ended' || status === 'stopped';
}
