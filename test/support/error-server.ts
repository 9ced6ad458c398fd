import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts an HTTP server that answers every request with this body. @param status one for all paths, or for each */
export async function startErrorServer(status: number | ((path: string) => number), body: string) {
  const server = createServer((request, response) => {
    request.resume();
    const code = typeof status === 'number' ? status : status(request.url!);
    response.writeHead(code, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
