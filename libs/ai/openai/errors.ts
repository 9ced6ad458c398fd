import { APIConnectionError, APIError } from 'openai';
import { EngineError, type FailureScope } from '#libs/contract/engine-error.js';
import { readRetryAfter } from './retry-after.js';

/** What a provider's `code` says of a request that can never pass, whatever the HTTP status it came with. */
const finalCodes: Record<string, string> = {
  context_length_exceeded: 'The text is too long for the AI model. Shorten it and try again.',
  content_filter:
    'The AI service declined this request under its content rules. Word it differently and try again.',
  content_policy_violation:
    'The AI service declined this request under its content rules. Word it differently and try again.',
  moderation_blocked:
    'The AI service declined this request under its content rules. Word it differently and try again.',
  insufficient_quota:
    'The account at the AI service has no credit left. An operator needs to check its billing and OPENAI_API_KEY.',
  invalid_api_key: 'The AI service refused our key. An operator needs to check OPENAI_API_KEY.',
  model_not_found: 'The AI service does not know the model. An operator needs to check AI_TEXT_MODEL.',
};

const finalStatuses: Record<number, string> = {
  400: 'The AI service did not accept this request. Word it differently and try again; if that does not help, an operator needs to check AI_TEXT_MODEL.',
  401: 'The AI service refused our key. An operator needs to check OPENAI_API_KEY.',
  402: 'The account at the AI service has no credit left. An operator needs to check its billing.',
  403: 'The AI service does not let our key use this model. An operator needs to check OPENAI_API_KEY and AI_TEXT_MODEL.',
  404: 'The AI service was not found, or does not know the model. An operator needs to check OPENAI_BASE_URL and AI_TEXT_MODEL.',
  413: 'This is too large for the AI service. Make it smaller and try again.',
};

const accountCodes = new Set(['insufficient_quota', 'invalid_api_key', 'model_not_found']);
const accountStatuses = new Set([401, 402, 403, 404]);

/** A code says more than the status that it comes with. */
const scopeOf = (code: string | undefined, status: number | undefined): FailureScope =>
  (code === undefined ? accountStatuses.has(status ?? 0) : accountCodes.has(code)) ? 'account' : 'request';

/** 4xx statuses under which the same request may pass later. */
const passing = new Set([408, 409, 425, 429]);

export interface Circumstances {
  apiKey: string;
  /** Whether the provider had begun to answer. */
  answering: boolean;
  /** What was asked for. It names the variable that an operator has to check. */
  kind?: 'text' | 'image';
  /** Milliseconds since the epoch, against which a `Retry-After` date counts. */
  now?: number;
}

/**
 * Whatever the `openai` package throws, as an {@link EngineError}. Its `cause` says what happened without the
 * request, the response's headers, or the key, which some servers quote back.
 */
export function toEngineError(
  error: unknown,
  { apiKey, answering, kind = 'text', now = Date.now() }: Circumstances,
): EngineError {
  const cause = new Error(describe(error, apiKey));
  if (error instanceof APIConnectionError && !answering) {
    return new EngineError('The AI service could not be reached. Try again in a few minutes.', {
      retryable: true,
      scope: 'service',
      cause,
    });
  }
  // A connection that breaks in mid-stream comes as fetch's own TypeError, or as an APIConnectionError.
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return answerCut(cause);

  const status = error.status as number | undefined;
  const named = [error.code ?? '', error.type ?? ''].find((code) => finalCodes[code]);
  const final = finalCodes[named ?? ''] ?? finalStatuses[status ?? 0];
  if (final) {
    const scope = scopeOf(named, status);
    return new EngineError(inTermsOf(kind, final), { retryable: false, scope, cause });
  }
  if (status !== undefined && status >= 400 && status < 500 && !passing.has(status)) {
    return new EngineError(inTermsOf(kind, finalStatuses[400] ?? ''), { retryable: false, cause });
  }
  return new EngineError(
    status === 429
      ? 'The AI service is busy. Try again in a few minutes.'
      : 'The AI service has a fault. Try again in a few minutes.',
    {
      retryable: true,
      retryAfterMs: readRetryAfter(error.headers as Headers | undefined, now),
      scope: 'service',
      cause,
    },
  );
}

const inTermsOf = (kind: 'text' | 'image', message: string) =>
  kind === 'image' ? message.replaceAll('AI_TEXT_MODEL', 'AI_IMAGE_MODEL') : message;

/** The stream ended, or broke, before the model said that it was done. */
export const answerCut = (cause?: Error) =>
  new EngineError('The AI service broke off before its answer was whole. Try again.', {
    retryable: true,
    cause: cause ?? new Error('the stream ended without a finish_reason'),
  });

export const answerEmpty = () =>
  new EngineError('The AI service gave an empty answer. Try again.', { retryable: true });

export const answerRefused = () =>
  new EngineError(finalCodes.content_filter ?? '', {
    retryable: false,
    cause: new Error('content_filter or refusal'),
  });

/** What errors of the network have, whichever library or realm they come from. */
interface Reason {
  message?: string;
  code?: string | null;
  cause?: Reason;
}

function describe(error: unknown, apiKey: string): string {
  if (error instanceof APIError && error.status !== undefined) {
    const facts = [`HTTP ${String(error.status)}`, error.code, error.type, error.requestID].filter(Boolean);
    // A refused key is quoted, in part or whole, in the words of the refusal.
    if (Number(error.status) === 401) return facts.join(' ');
    return redact(`${facts.join(' ')}: ${error.message}`, apiKey);
  }
  const reasons: string[] = [];
  for (let cause = error as Reason | undefined; cause?.message && reasons.length < 4; cause = cause.cause) {
    reasons.push(cause.code ? `${cause.code}: ${cause.message}` : cause.message);
  }
  return redact(reasons.join(' / ') || String(error), apiKey);
}

const redact = (text: string, apiKey: string) => text.replaceAll(apiKey, '[key]');
