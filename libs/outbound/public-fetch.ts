import dns from 'node:dns';
import ipaddr from 'ipaddr.js';
import { Agent, fetch, type Response } from 'undici';

const CONNECT_TIMEOUT_MS = 10_000;

export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address.`);
    this.name = 'ForbiddenAddress';
  }
}

export interface PublicFetchOptions {
  isAllowed?: (address: string) => boolean;
  lookup?: typeof dns.lookup;
  schemes?: readonly string[];
}

export type PublicFetch = (
  url: string,
  init?: Pick<NonNullable<Parameters<typeof fetch>[1]>, 'method' | 'headers' | 'body' | 'signal'>,
) => Promise<Response>;

/**
 * True for ordinary public addresses: not for private, loopback, link-local, carrier, NAT64, 6to4, multicast and reserved
 * ones, also if they are IPv4 addresses inside of IPv6 addresses.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.process(bareHost(address)).range() === 'unicast';

/**
 * Creates a `fetch` for addresses that users give. It connects to the address that was checked, so a name whose DNS answer
 * changes gains nothing. Redirects are answers and are not followed.
 * @throws ForbiddenAddress as the error or as its cause; TypeError if the address is malformed
 */
export function createPublicFetch({
  isAllowed = isPublicAddress,
  lookup = dns.lookup,
  schemes = ['https:'],
}: PublicFetchOptions = {}): PublicFetch {
  const agent = new Agent({
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      lookup: (host, options, answer) =>
        lookup(host, { ...options, all: true }, (error, addresses) => {
          if (error) return answer(error, []);
          if (!addresses.every(({ address }) => isAllowed(address)))
            return answer(new ForbiddenAddress(host), []);
          if (options.all) return answer(null, addresses);
          const [{ address, family }] = addresses as [dns.LookupAddress];
          answer(null, address, family);
        }),
    },
  });
  return async (url, init) => {
    const { protocol, hostname, username, password } = new URL(url);
    if (!schemes.includes(protocol) || username || password) throw new ForbiddenAddress(url);
    // A literal address is never looked up.
    if (ipaddr.isValid(bareHost(hostname)) && !isAllowed(hostname)) throw new ForbiddenAddress(hostname);
    return fetch(url, { ...init, dispatcher: agent, redirect: 'manual' });
  };
}

/** Without the brackets and the zone of an IPv6 address. */
const bareHost = (host: string) => host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
