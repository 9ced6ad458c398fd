import { io } from 'socket.io-client';
import { json, type SignedInUser, type InProcessProduct } from './in-process-product.ts';
import { until } from './until.ts';

/** Requests for creations, by default of one user. */
export const creationRequests = (user: () => SignedInUser) => ({
  draw: async (object = 'a fox', publish = false) =>
    json(await user().call('/api/ai/probe-image', { json: { object, publish } })),
  creations: async (client = user(), query = '') =>
    json(await client.call(`/api/user/get-user-creations${query}`)),
  publish: (id: string, fields?: object, client = user()) =>
    client.call(`/api/user/creations/${id}/publish`, { method: 'POST', ...(fields && { json: fields }) }),
  remove: (id: string, client = user()) => client.call(`/api/user/creations/${id}`, { method: 'DELETE' }),
  restore: (id: string, client = user()) =>
    client.call(`/api/user/creations/${id}/restore`, { method: 'POST' }),
});

/** Collects the ids of creations in the live events that a user receives. */
export async function collectCreationChanges(
  product: Pick<InProcessProduct, 'origin'>,
  { token }: SignedInUser,
) {
  const ids: string[] = [];
  const socket = io(product.origin, { transports: ['websocket'], auth: { token } });
  socket.on('creation', (change: { id: string }) => ids.push(change.id));
  await until('the socket', () => socket.connected);
  return { ids, close: () => void socket.close() };
}
