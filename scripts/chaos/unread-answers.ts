import { connect, type Socket } from 'node:net';

const SOCKETS = 4;
/** Requests of each socket: their answers are more than the buffers of a connection hold. */
const REQUESTS = 60;
/** Large answers, which everybody may ask for. */
const PATH = '/api/openapi.json';

/** Asks for large answers, some with a token, and reads none of them. @returns the open sockets */
export function leaveUnread(origin: string, token: string): Socket[] {
  const { hostname, port, host } = new URL(origin);
  return Array.from({ length: SOCKETS }, (_, i) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.pause();
    const [path, header] =
      i % 2 === 0 ? [PATH, ''] : ['/api/user/get-user-creations', `Authorization: Bearer ${token}\r\n`];
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n`.repeat(REQUESTS));
    return socket;
  });
}
