import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** The result of a link from an email: address confirmed, change of address agreed to, or the link has expired. */
export type EmailLinkOutcome = 'confirmed' | 'agreed' | 'expired';

/** Reads the outcome from the query that the server redirects to. */
export function readEmailLinkOutcome(search: string): EmailLinkOutcome | null {
  const parameters = new URLSearchParams(search);
  const email = parameters.get('email');
  if (email !== 'confirmed' && email !== 'agreed') return null;
  return parameters.has('error') ? 'expired' : email;
}

/** The outcome in the current address, and a function that dismisses it. */
export function useEmailLinkOutcome(): [EmailLinkOutcome | null, () => void] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState(() => readEmailLinkOutcome(search));
  const dismiss = () => {
    setOutcome(null);
    if (readEmailLinkOutcome(search) !== null) void navigate(pathname, { replace: true });
  };
  return [outcome, dismiss];
}
