import { useMutation, useQuery } from '@tanstack/react-query';
import type { KeyScope } from '#libs/contract/api-keys.js';
import { queryKeys } from '../../../shared/http/query-keys';
import { callAuth, textField } from '../local/api/auth-call';
import { scopesInOrder } from '../api-keys/scope-labels';

/** An app's request for access, as in the signed query of the page's address. */
export interface AppRequest {
  /** The whole query, which the server checks. */
  query: string;
  clientId: string;
  scopes: KeyScope[];
  /** Other scopes of the request, such as `offline_access`. */
  otherScopes: string[];
  /** Where the user returns, as words: a host, this computer, or another app. */
  returnsTo: string;
}

/** @returns null if the address has no request */
export function readAppRequest(search: string): AppRequest | null {
  const query = search.replace(/^\?/, '');
  const parameters = new URLSearchParams(query);
  const clientId = parameters.get('client_id');
  const redirect = URL.parse(parameters.get('redirect_uri') ?? '');
  if (clientId === null || redirect === null || !parameters.has('sig')) return null;
  const asked = (parameters.get('scope') ?? '').split(' ').filter(Boolean);
  const scopes = scopesInOrder.filter((scope) => asked.includes(scope));
  return {
    query,
    clientId,
    scopes,
    otherScopes: asked.filter((scope) => !(scopes as string[]).includes(scope)),
    returnsTo: describeAddress(redirect),
  };
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

function describeAddress({ protocol, hostname }: URL): string {
  if (LOOPBACK.includes(hostname)) return 'a program on this computer';
  return protocol === 'https:' ? hostname : `an app that opens ${protocol} links`;
}

/** The name under which the app is registered. */
export function useAppName(clientId: string) {
  return useQuery({
    queryKey: queryKeys.app(clientId),
    queryFn: () =>
      callAuth(`/oauth2/public-client?client_id=${encodeURIComponent(clientId)}`, (content) =>
        textField(content, 'client_id') === null ? undefined : (textField(content, 'client_name') ?? ''),
      ),
    retry: false,
  });
}

/** Allows or refuses the request, and goes back to the app. */
export function useAnswerApp({ query, otherScopes }: AppRequest) {
  return useMutation({
    mutationFn: (scopes: KeyScope[] | null) =>
      callAuth('/oauth2/consent', (content) => textField(content, 'url') ?? undefined, {
        accept: scopes !== null,
        ...(scopes !== null && { scope: [...scopes, ...otherScopes].join(' ') }),
        oauth_query: query,
      }),
    onSuccess: (address) => window.location.assign(address),
  });
}
