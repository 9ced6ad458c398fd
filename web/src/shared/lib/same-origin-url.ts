const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The path of a file of our own server, or else the unchanged URL. Responses contain the public URL, and the
 * page can be open under another host name of the same server.
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
