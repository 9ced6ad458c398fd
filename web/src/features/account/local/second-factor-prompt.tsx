import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useAccount } from '../../../shared/account/account-calls';
import { queryKeys } from '../../../shared/http/query-keys';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { readOwnSession } from './api/account-api';

/** If the server requires a second factor of operators, asks operators without a second factor to set it up. */
export default function SecondFactorPrompt({ onSetUp }: { onSetUp: () => void }) {
  const account = useAccount().data;
  const own = useQuery({ queryKey: queryKeys.ownSession, queryFn: readOwnSession }).data;
  const [dismissed, setDismissed] = useState(false);
  const missing = account?.role === 'admin' && own?.hasSecondFactor === false;
  if (!missing || dismissed) return null;
  return (
    <Dialog label="Operators need two-factor authentication" onClose={() => setDismissed(true)}>
      <h2 className="text-2xl">Operators need two-factor authentication</h2>
      <p className="mt-4 text-quiet">
        You are an operator of this Pressroom. Set up an authenticator app, or add a passkey and sign in with
        it. Until then, the queues are not available. Everything else works as before.
      </p>
      <Button variant="primary" className="mt-8 w-full" onClick={onSetUp}>
        Set up
      </Button>
      <Button variant="quiet" className="mt-2 w-full" onClick={() => setDismissed(true)}>
        Later
      </Button>
    </Dialog>
  );
}
