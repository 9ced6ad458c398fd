/** True if the host is a loopback address, which only this machine can reach. */
export const isLoopback = (host: string) =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * The origins at which browsers may open the product. If `publicUrl` has a loopback host, its other names are included too,
 * because users type both `localhost` and `127.0.0.1`.
 */
export function ownOrigins(publicUrl: string): string[] {
  const { hostname, port, protocol, origin } = new URL(publicUrl);
  if (!isLoopback(hostname)) return [origin];
  return ['localhost', '127.0.0.1', '[::1]'].map((host) => `${protocol}//${host}${port && `:${port}`}`);
}
