import type { ReactNode } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FileText } from 'lucide-react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import type { Job } from '#libs/contract/jobs.js';
import { createHttp } from '../../web/src/shared/http/http';
import { BatchStore } from '../../web/src/modules/runs/state/batch-store';
import type { BatchUploads } from '../../web/src/modules/runs/state/batch-uploads';
import { FlowStore } from '../../web/src/modules/runs/state/flow-store';
import { JobStore } from '../../web/src/modules/runs/state/job-store';
import { RunsContext } from '../../web/src/modules/runs/state/runs-context';
import { readJob } from '../../web/src/modules/runs/jobs/job-calls';
import { AccountsContext, loadingAccounts } from '../../web/src/shared/account/accounts';
import { ToolPagesContext } from '../../web/src/shared/tools/tool-pages';
import { toolSummaries } from '../../web/src/shared/tools/tool-summaries';
import { Toasts } from '../../web/src/shared/ui/toasts';
import './longer-timeout';

const getToken = async () => 'token';
const accounts = {
  ...loadingAccounts,
  status: 'ready' as const,
  user: { id: 'user-1', fullName: 'Ada Brandt', email: 'ada@example.com', imageUrl: null },
  getToken,
};
const toolPages = toolSummaries.map((tool) => ({ ...tool, icon: FileText, segment: tool.name }));

interface AppOptions {
  path?: string;
  jobs?: readonly Job[];
  batches?: BatchStore;
  uploads?: BatchUploads | null;
  connected?: boolean;
  /** Retries failed queries as in the app, but only after the test has ended. */
  retry?: boolean;
}

/** Renders an element as the app does: with a signed-in user, the job store, toasts and the router. */
export function renderInApp(
  element: ReactNode,
  {
    path = '/',
    jobs = [],
    batches = new BatchStore((flush) => flush()),
    uploads = null,
    connected = true,
    retry = false,
  }: AppOptions = {},
) {
  const store = new JobStore({
    fetch: (id) => readJob(createHttp(getToken), id),
    wait: () => new Promise((resolve) => setTimeout(resolve, 10)),
    schedule: (flush) => flush(),
  });
  for (const job of jobs) store.put(job);
  const flows = new FlowStore((flush) => flush());
  const queries = new QueryClient({ defaultOptions: { queries: { retry, retryDelay: 3_600_000 } } });
  const view = render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[path]}>
        <AccountsContext value={accounts}>
          <ToolPagesContext value={toolPages}>
            <RunsContext value={{ jobs: store, batches, flows, uploads, connected }}>
              {element}
              <Toasts />
              <Address />
            </RunsContext>
          </ToolPagesContext>
        </AccountsContext>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return {
    ...view,
    user: userEvent.setup(),
    store,
    /** Stores a job as an event of the server does. */
    putJob: (job: Job) => act(() => store.put(job)),
    /** The path and query of the router. */
    address: () => view.getByTestId('address').textContent,
  };
}

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address" hidden>{`${pathname}${search}`}</output>;
}
