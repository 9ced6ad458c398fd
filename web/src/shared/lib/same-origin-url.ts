const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The path of a file of our own server, or else the address as it is. Responses contain the public address, and the
 * page can be open under another name of the same machine.
 */
export function sameOriginUrl(
  url: string,
  page: Pick<Location, 'href' | 'hostname' | 'port'> = location,
): string {
  const { hostname, port, pathname, search } = new URL(url, page.href);
  const same =
    hostname === page.hostname || (localHosts.includes(hostname) && localHosts.includes(page.hostname));
  return same && port === page.port ? pathname + search : url;
}
