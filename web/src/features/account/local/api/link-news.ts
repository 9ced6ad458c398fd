import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** What a link from a mail came to: an address confirmed, a change agreed to, or a link that is no longer good. */
export type LinkNews = 'confirmed' | 'agreed' | 'spent';

/** Reads what the server says in the address after a mailed link was opened; null otherwise. */
export function readLinkNews(search: string): LinkNews | null {
  const said = new URLSearchParams(search);
  const email = said.get('email');
  if (email !== 'confirmed' && email !== 'agreed') return null;
  return said.has('error') ? 'spent' : email;
}

/** The news of the address, and how to have it read: it then leaves the address too. */
export function useLinkNews(): [LinkNews | null, () => void] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [news, setNews] = useState(() => readLinkNews(search));
  const read = () => {
    setNews(null);
    if (readLinkNews(search) !== null) void navigate(pathname, { replace: true });
  };
  return [news, read];
}
