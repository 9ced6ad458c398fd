import dns from 'node:dns';
import ipaddr from 'ipaddr.js';
import { Agent, fetch, ProxyAgent, type Response } from 'undici';

const CONNECT_TIMEOUT_MS = 10_000;

export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address.`);
    this.name = 'ForbiddenAddress';
  }
}

export interface PublicFetchOptions {
  /** Inside networks that may be reached too, also by plain HTTP: addresses, or ranges such as `10.0.0.0/8`. */
  allowedNetworks?: readonly string[];
  /** A proxy that connects in place of this process. It looks names up, so it must refuse inside addresses itself. */
  proxyUrl?: string | null;
  lookup?: typeof dns.lookup;
}

export type PublicFetch = (
  url: string,
  init?: Pick<NonNullable<Parameters<typeof fetch>[1]>, 'method' | 'headers' | 'body' | 'signal'>,
) => Promise<Response>;

/** The only block of IPv6 addresses that is assigned to public networks. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for ordinary public addresses: not for private, loopback, link-local, carrier, NAT64, 6to4, multicast and reserved
 * ones, also if they are IPv4 addresses inside of IPv6 addresses.
 */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(bareHost(text));
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST));
}

/** The check of an address by scheme. Absent for schemes that are refused. */
const checksOf = (allowedNetworks: readonly string[]): Record<string, (address: string) => boolean> => {
  const isAllowed = isInNetworks(allowedNetworks);
  return {
    'https:': (address) => isPublicAddress(address) || isAllowed(address),
    'http:': isAllowed,
  };
};

/**
 * Checks what can be checked without asking for the name: the scheme, and an address in place of a name.
 * @throws ForbiddenAddress; TypeError if the address is malformed
 */
export function requirePublicUrl(url: string, allowedNetworks: readonly string[] = []): void {
  const { protocol, hostname, username, password } = new URL(url);
  const check = checksOf(allowedNetworks)[protocol];
  const isLiteral = ipaddr.isValid(bareHost(hostname));
  const isRefused = isLiteral ? !check?.(hostname) : protocol === 'http:' && allowedNetworks.length === 0;
  if (!check || username || password || isRefused) throw new ForbiddenAddress(hostname);
}

/**
 * Creates a `fetch` for addresses that users give. It connects to the address that was checked, so a name whose DNS answer
 * changes gains nothing. Redirects are answers and are not followed.
 * @throws ForbiddenAddress as the error or as its cause; TypeError if the address is malformed
 */
export function createPublicFetch({
  allowedNetworks = [],
  proxyUrl = null,
  lookup = dns.lookup,
}: PublicFetchOptions = {}): PublicFetch {
  const proxy = proxyUrl === null ? null : new ProxyAgent({ uri: proxyUrl });
  const agents = Object.fromEntries(
    Object.entries(checksOf(allowedNetworks)).map(([protocol, check]) => [
      protocol,
      proxy ?? createAgent(check, lookup),
    ]),
  );
  return async (url, init) => {
    // A literal address is never looked up.
    requirePublicUrl(url, allowedNetworks);
    return fetch(url, { ...init, dispatcher: agents[new URL(url).protocol]!, redirect: 'manual' });
  };
}

const createAgent = (isAllowed: (address: string) => boolean, lookup: typeof dns.lookup) =>
  new Agent({
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

function isInNetworks(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((network) => {
    const address = ipaddr.parse(network.split('/')[0]!);
    return ipaddr.parseCIDR(
      network.includes('/') ? network : `${network}/${address.toByteArray().length * 8}`,
    );
  });
  return (text) => {
    const address = ipaddr.process(bareHost(text));
    return ranges.some((range) => range[0].kind() === address.kind() && address.match(range));
  };
}

/** Without the brackets and the zone of an IPv6 address. */
const bareHost = (host: string) => host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
