import { isLoopback } from './loopback.js';

/**
 * The origins under which a browser may have opened the product: `publicUrl`, and where that is this machine, the
 * other names for it, since users type both `localhost` and `127.0.0.1`.
 */
export function ownOrigins(publicUrl: string): string[] {
  const { hostname, port, protocol, origin } = new URL(publicUrl);
  if (!isLoopback(hostname.replace(/^\[|\]$/g, ''))) return [origin];
  return ['localhost', '127.0.0.1', '[::1]'].map((host) => `${protocol}//${host}${port && `:${port}`}`);
}
