import { useMutation } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { Layers } from 'lucide-react';
import { operationRoutes } from '#libs/contract/routes/operations.js';
import { call } from '../../shared/http/call';
import { useAccount } from '../../shared/account/account-calls';
import { ApiFailure } from '../../shared/http/http';
import { useAccounts } from '../../shared/account/accounts';
import { useHttp } from '../../shared/account/use-http';
import { Spinner } from '../../shared/ui/spinner';

/** Link to the queue board, a page that the server renders. Shown only to operators. */
export function QueuesLink() {
  const account = useAccount();
  const http = useHttp();
  const { openProfile } = useAccounts();
  const open = useMutation({
    mutationFn: () => call(http, operationRoutes.openQueueBoard, {}),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (account.data?.role !== 'admin') return null;
  const refused = (error: Error) => {
    if (error instanceof ApiFailure && error.code === 'TWO_FACTOR_REQUIRED') openProfile('security');
    else toast.error(error.message);
  };
  // Stay busy after success, until the browser has left the page.
  const busy = open.isPending || open.isSuccess;
  return (
    <li>
      <button
        type="button"
        disabled={busy}
        onClick={() => open.mutate(undefined, { onError: refused })}
        className="flex min-h-10 w-full items-center gap-3 rounded-control px-3 text-left text-[0.9375rem] text-quiet transition-colors duration-150 hover:bg-tint hover:text-ink"
      >
        {busy ? (
          <Spinner />
        ) : (
          <Layers aria-hidden="true" className="size-[1.125rem] shrink-0" strokeWidth={1.75} />
        )}
        <span className="flex-1 truncate">Queues</span>
      </button>
    </li>
  );
}
