import { useMutation } from '@tanstack/react-query';
import type { FlowName } from '#libs/contract/flows.js';
import { flowRoutes } from '#libs/contract/routes/flows.js';
import { useHttp } from '../../../shared/account/use-http';
import { call, callOnce } from '../../../shared/http/call';
import { formOf } from '../jobs/job-calls';
import { useIdempotentCall } from '../jobs/idempotency';
import { useFlowStore } from '../state/runs-context';

export interface ChosenFlow {
  flow: FlowName;
  input: object;
  steps: readonly string[];
  files?: Readonly<Record<string, Blob>>;
}

/** Starts a flow. Double clicks and retries start it only once (see idempotency.ts). */
export function useCreateFlow() {
  const http = useHttp();
  const store = useFlowStore();
  const callIdempotently = useIdempotentCall();
  return useMutation({
    mutationFn: ({ flow: name, input, steps, files = {} }: ChosenFlow) => {
      const fields = { ...input, steps: steps.join(',') };
      return callIdempotently(JSON.stringify([name, fields]), files, async (key) => {
        const body = Object.keys(files).length === 0 ? fields : formOf(fields, files);
        return (await callOnce(http, flowRoutes.createFlow, key, { params: { flow: name }, body })).flow;
      });
    },
    onSuccess: (flow) => {
      store.put(flow);
      store.flush();
    },
  });
}

/** Chooses the title for which a flow waits. */
export function useChooseTitle() {
  const http = useHttp();
  const store = useFlowStore();
  return useMutation({
    mutationFn: async ({ id, title }: { id: string; title: string }) =>
      (await call(http, flowRoutes.chooseFlowTitle, { params: { id }, body: { title } })).flow,
    onSuccess: (flow) => {
      store.put(flow);
      store.flush();
    },
  });
}
