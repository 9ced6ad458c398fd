import type { IncomingMessage } from 'node:http';

/** The id that the request log gave a request; answers carry it as `X-Request-Id`. */
export const requestIdOf = ({ id }: IncomingMessage): string => (typeof id === 'string' ? id : '');
