const machineNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The address of a file by its path alone where it is our own server's. Answers name the public address, and the
 * page may have been opened under another name of the same machine.
 */
export function ownAddress(
  url: string,
  page: Pick<Location, 'href' | 'hostname' | 'port'> = location,
): string {
  const { hostname, port, pathname, search } = new URL(url, page.href);
  const same =
    hostname === page.hostname || (machineNames.includes(hostname) && machineNames.includes(page.hostname));
  return same && port === page.port ? pathname + search : url;
}
