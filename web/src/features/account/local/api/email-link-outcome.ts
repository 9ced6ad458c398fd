import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Result of opening an email link. `agreed` if the old address confirmed a change; the new address must confirm too. */
export type EmailLinkOutcome = 'confirmed' | 'agreed' | 'expired';

export function readEmailLinkOutcome(search: string): EmailLinkOutcome | null {
  const parameters = new URLSearchParams(search);
  const email = parameters.get('email');
  if (email !== 'confirmed' && email !== 'agreed') return null;
  return parameters.has('error') ? 'expired' : email;
}

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
