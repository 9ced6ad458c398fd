const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Converts a URL of our own server to a path and returns other URLs unchanged. Responses contain URLs with the server's
 * public
 * host name, but the page may be open under another host name of the same server.
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
