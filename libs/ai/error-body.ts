import { withFormAsBytes } from '#libs/outbound/form-bytes.js';

/** Maximum characters of the message of an error without one of its own. */
const MAX_CHARACTERS = 8_000;

/**
 * `fetch` for the `openai` package, which reads only errors of the form `{"error": {"message": …}}`. Other forms are converted
 * to it: a list, a text in `error`, `detail` or `errors`, a text that is not JSON.
 */
export async function fetchWithReadableErrors(
  url: Parameters<typeof fetch>[0],
  init?: Parameters<typeof fetch>[1],
): Promise<Response> {
  const response = await fetch(url, init && (await withFormAsBytes(init)));
  if (response.ok) return response;
  const error = readError(await response.text());
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  headers.set('content-type', 'application/json');
  const { status, statusText } = response;
  return new Response(JSON.stringify({ error }), { status, statusText, headers });
}

/** True if the body is a web page. */
export const isPage = (text: string) => /^\s*<(!doctype|html)/i.test(text);
const titleOf = (page: string) => /<title>([^<]*)/i.exec(page)?.[1]?.trim() ?? 'a web page';

export interface ErrorBody {
  message: string;
  code?: unknown;
  type?: unknown;
  status?: unknown;
  /** OpenRouter's: `raw` is the answer of the service behind it. */
  metadata?: { raw?: unknown } | null;
}

export function readError(text: string): ErrorBody {
  const body = firstOf(parseJson(text));
  const error = firstOf(body?.error ?? body?.errors ?? body?.detail);
  if (typeof error?.message === 'string') return withReason(error as unknown as ErrorBody);
  // The code may stand beside the message, as in xAI's errors.
  return {
    message: isPage(text) ? titleOf(text) : text.slice(0, MAX_CHARACTERS),
    code: error?.code ?? body?.code,
    type: error?.type ?? body?.type ?? body?.name,
  };
}

/** Adds the reason to the message of a gateway, which may be "Provider returned error" alone. */
function withReason(error: ErrorBody): ErrorBody {
  const raw = error.metadata?.raw;
  if (!raw) return error;
  const reason = readError(typeof raw === 'string' ? raw : JSON.stringify(raw)).message;
  return { ...error, message: `${error.message}: ${reason}` };
}

type Fields = Record<string, unknown>;

const firstOf = (value: unknown): Fields | undefined =>
  Array.isArray(value)
    ? firstOf(value[0])
    : typeof value === 'object'
      ? ((value ?? undefined) as Fields)
      : undefined;

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
