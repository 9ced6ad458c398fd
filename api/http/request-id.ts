import type { IncomingMessage } from 'node:http';

/** Id that the request log assigned to the request. Also sent as `X-Request-Id`. */
export const requestIdOf = ({ id }: IncomingMessage): string => (typeof id === 'string' ? id : '');
