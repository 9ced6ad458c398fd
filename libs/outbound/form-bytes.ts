/**
 * Replaces the form of a request by its bytes. If a request is aborted while `fetch` of Node.js 24.21 reads its form, the process
 * ends with an unhandled rejection; `fetch` of undici 8 does not do so.
 */
export async function withFormAsBytes(init: RequestInit): Promise<RequestInit> {
  if (!(init.body instanceof FormData)) return init;
  const form = new Response(init.body);
  const headers = new Headers(init.headers);
  headers.set('content-type', form.headers.get('content-type')!);
  return { ...init, headers, body: await form.arrayBuffer() };
}
