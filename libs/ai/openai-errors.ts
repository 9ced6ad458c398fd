import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { EngineError, type FailureScope } from '#libs/contract/engine.js';
import { readRetryAfter } from './retry-after.js';

const KEY_REFUSED = 'The AI service refused our key. An operator needs to check OPENAI_API_KEY.';
const DECLINED =
  'The AI service refused this prompt under its content rules. Word it differently and try again.';

/** Messages for error codes after which a retry is useless, whatever the HTTP status. */
const finalCodes: Record<string, string> = {
  context_length_exceeded: 'The text is too long for the AI model. Shorten it and try again.',
  insufficient_quota:
    'The account at the AI service has no credit left. An operator needs to check its billing and OPENAI_API_KEY.',
  invalid_api_key: KEY_REFUSED,
  model_not_found:
    'The AI service does not know the model, or cannot run it. An operator needs to check AI_TEXT_MODEL.',
  unsupported_country_region_territory:
    'The AI service does not serve the country of this server. An operator needs to check OPENAI_BASE_URL.',
};

/** Codes of an answer in which the model broke the form that the service expects. The next answer may keep it. */
const FAILED_GENERATION = new Set(['json_validate_failed', 'tool_use_failed', 'output_parse_failed']);

/** Words with which services say that a text is too long for the model, without a code. */
const TOO_LONG = new RegExp(
  [
    'context (length|window|size|limit)|exceed_context_size|greater than the context|when context the overflows',
    'maximum (context|prompt|model) length|input length should be|reduce the length',
    'max(imum)?[_ ]tokens? .*exceed|model token limit|too many tokens|input token count',
    '(prompt|input( length)?|request( body)?|tokens?) (\\(\\d+ tokens\\) )?(is |are )?(too (long|large|big)|exceeds?)',
    'length of prompt_tokens|exceeds? max message tokens',
    "exceeds? the (available|maximum|model'?s?) (context|number of tokens|input)",
    'inputs?`? (tokens \\+|must have less than)|超长',
    'n_keep.*n_ctx|max_tokens must be at least 1|context shift is disabled|ContextWindowExceeded',
    'number of input tokens \\d+ cannot exceed|(?:input|prompt) length\\b.{0,80}\\b(?:exceeds?|greater than)\\b',
    "'(?:messages|input|prompt)\\b.{0,40}: string too long",
  ].join('|'),
  'i',
);
/** Words with which OpenAI says, with status 429, that one request is above the limit of a minute: no wait helps. */
const ABOVE_LIMIT = /request too large for/i;
/** Words with which services say that the quota of the account is used up, or that it is not paid. */
const QUOTA = new RegExp(
  [
    'exceeded your (current|monthly|daily) quota|quota exceeded|insufficient[ _](user[ _])?(credit|balance|funds|quota)',
    'used all available credits|credit balance is too low|out of credits?|purchase (more )?credits',
    '(balance|quota|credit limit) is (not enough|insufficient)|not enough balance|overdue balance|credits are depleted',
    "(?:doesn['’]t|does not) have any credits|(account|organization|team)\\b.{0,60}\\b(is|been) (suspended|restricted|not active)",
    'account is in good standing|check (your|its) (plan and )?billing|budget has been exceeded|over budget|billing hard limit',
    'reached your (specified api|weekly|monthly|account) (usage|spend\\w*) (limit|cap)s?|spend\\w* (cap|limit reached)',
    'key limit exceeded \\((total|daily|weekly|monthly)|set inference limit|usage limit reached for \\d+ (hour|day)',
    'free-models-per-day|daily free allocation|free tier of the model has been exhausted',
    '余额不足|额度不足|额度失败|额度已用尽|欠费',
  ].join('|'),
  'i',
);
/** Words with which services say, with status 400, that they have no such model. */
const UNKNOWN_MODEL = new RegExp(
  [
    '(invalid|no such) model( name\\b|[\'"`:]| [\'"`@])|invalid model identifier|model identifier is invalid|not a valid model',
    'model (does )?not (exist|found)|model\\b.{0,80}\\b(has been (decommissioned|retired)|does not exist|reached the end of its life)',
    'model [\'"`][^\'"`]{1,120}[\'"`] not found|un(known|available) model:|failed to load model|multiple models are loaded',
    'not supported by any provider|no models loaded|unable to access model|non-serverless model|on-demand throughput isn|requires terms acceptance|模型不存在',
    'does not support chat\\W*$|not a chat model|operation does not work with the specified model',
    'provide a chat template|chat_template is not set|template not found|LLM provider not provided',
  ].join('|'),
  'i',
);
/** Words with which services refuse the country of a server. */
const COUNTRY = /(user location|country|region)\b.{0,30}\bnot supported/i;
/** Words with which services refuse a key with status 400 or without a code. */
const WRONG_KEY = /\bAPI[ _]key (?:not valid|expired|is invalid)|(?:incorrect|invalid) API[ _]key/i;

/** Words with which a service says that a limit, which it may call a quota, passes soon: "Please retry in 34.07s." */
const WAIT = /(?:try again|retry) (?:in|after) (?:(\d+)m)?(\d+(?:\.\d+)?) ?(ms|s)/i;
/** Longer waits mean that a quota is used up. */
const MAX_WAIT_MS = 10 * 60_000;

/** The same in the details of Gemini's errors. */
const WAIT_IN_DETAILS = /"retryDelay":"()(\d+(?:\.\d+)?)(s)"/;

/** Milliseconds to wait by the message or the details of an error; undefined if it names none. */
function readWait({ message, error }: Pick<APIError, 'message' | 'error'>): number | undefined {
  const details = WAIT_IN_DETAILS.exec(JSON.stringify(error ?? ''));
  const [, minutes = 0, amount = 0, unit] = WAIT.exec(message) ?? details ?? [];
  if (unit === undefined) return undefined;
  return Number(minutes) * 60_000 + Math.ceil(Number(amount) * (unit === 'ms' ? 1 : 1000));
}

/** The code of an error that has none of ours, by its words. */
const codeOfMessage = (
  error: Pick<APIError, 'status' | 'code' | 'type' | 'message' | 'error'>,
): string | undefined => {
  const { status } = error;
  const message = [error.code, error.type, error.message].join(' ');
  const passesSoon = status === 429 && (readWait(error) ?? Infinity) <= MAX_WAIT_MS;
  if (QUOTA.test(message) && !passesSoon && [400, 401, 402, 403, 412, 429].includes(status ?? 0))
    return 'insufficient_quota';
  if (status === 400 && WRONG_KEY.test(message)) return 'invalid_api_key';
  if ([400, 422].includes(status ?? 0) && UNKNOWN_MODEL.test(message)) return 'model_not_found';
  if (status === 400 && COUNTRY.test(message)) return 'unsupported_country_region_territory';
  const isTooLong =
    status === 429
      ? ABOVE_LIMIT.test(message)
      : TOO_LONG.test(message) && [undefined, 400, 413, 422, 500].includes(status);
  return isTooLong ? 'context_length_exceeded' : undefined;
};

/** True if the service has no such model, or cannot run it. */
export const isUnknownModel = (error: Parameters<typeof codeOfMessage>[0]): boolean =>
  codeOfMessage(error) === 'model_not_found';

const NOT_FOUND =
  'The AI service was not found, or does not know the model. An operator needs to check OPENAI_BASE_URL and AI_TEXT_MODEL.';

const finalStatuses: Record<number, string> = {
  400: 'The AI service did not accept this request. Word it differently and try again; if that does not help, an operator needs to check AI_TEXT_MODEL.',
  401: KEY_REFUSED,
  402: 'The account at the AI service has no credit left. An operator needs to check its billing.',
  403: 'The AI service does not let our key use this model. An operator needs to check OPENAI_API_KEY and AI_TEXT_MODEL.',
  404: NOT_FOUND,
  405: NOT_FOUND,
  410: NOT_FOUND,
  413: 'This is too large for the AI service. Make it smaller and try again.',
};

/** Codes and words with which services refuse what was asked for, after the bodies in openai-errors.test.ts. */
const CONTENT_RULES = [
  'content[ _-]?(policy|filter|moderation|management|guideline)',
  'content (violates|exists risk|is blocked|that is not allowed)',
  'content may be (unsafe|sensitive)|may contain sensitive|sensitive[ _]?(content|words)',
  'new_sensitive|(in|un)appropriate content|inappropriate-content|data_inspection_failed|prohibited_content',
  'safety (system|filter|check|setting|guideline|policy)|safety_check|responsible ?ai|image_safety',
  '(request|content) moderated|moderation (block|system|and)|moderation_blocked|requires moderation|blocked by moderation|content moderation',
  'usage (guideline|polic)|nsfw|flagged_input|(was|been) flagged|violate[sd]? (our|google)',
  '敏感|违规',
];
const contentRules = new RegExp(CONTENT_RULES.join('|'), 'i');
/** True if a body says that the service refuses the content. */
export const isAboutContent = (body: string): boolean => contentRules.test(body);

const contentStatuses = [undefined, 400, 403, 422, 451, 500];

/** True if the service refused a prompt, a picture or its own answer under its content rules. */
export const isDeclined = (error: Pick<APIError, 'status' | 'message' | 'error'>): boolean =>
  contentStatuses.includes(error.status) &&
  contentRules.test(`${error.message} ${JSON.stringify(error.error ?? '')}`);

const accountCodes = new Set([
  'insufficient_quota',
  'invalid_api_key',
  'model_not_found',
  'unsupported_country_region_territory',
]);
const accountStatuses = new Set([401, 402, 403, 404, 405, 410]);

/** Derives the scope from the error code if there is one, because it is more specific than the status. */
const scopeOf = (code: string | undefined, status: number | undefined): FailureScope =>
  (code === undefined ? accountStatuses.has(status ?? 0) : accountCodes.has(code)) ? 'account' : 'request';

/**
 * True if the error may mean that the server does not support a parameter, so the request can be repeated without it. Cannot
 * be exact, because servers use various statuses and messages.
 */
export function isRefusedParameter(error: unknown): boolean {
  return (
    error instanceof APIError &&
    [400, 415, 422, 501].includes(Number(error.status)) &&
    !isDeclined(error) &&
    codeOfMessage(error) === undefined &&
    ![error.code ?? '', error.type ?? ''].some((code) => finalCodes[code])
  );
}

/** True if the model, not the request, is the cause of a refusal. */
export const isFailedGeneration = (error: unknown): boolean =>
  error instanceof APIError &&
  (FAILED_GENERATION.has(error.code ?? '') ||
    /produced output that does not match the expected/i.test(error.message));

/** True if a schema may be the cause: for a refused parameter, also with status 500, as llama-cpp-python sends it. */
export const mayRefuseSchema = (error: unknown): boolean =>
  isRefusedParameter(error) ||
  isFailedGeneration(error) ||
  (error instanceof APIError &&
    error.status === 500 &&
    /response_format|json_schema|grammar/i.test(error.message));

/** Words with which LM Studio and NVIDIA say, with status 400, that the model will run again. */
const CRASH =
  /model (?:has )?(?:crashed|(?:been )?unloaded)|model is (?:still )?loading|channel error|degraded function/i;

const retryableStatuses = new Set([408, 409, 425, 429]);

interface ErrorContext {
  apiKey: string;
  /** True if the response had started before the error. */
  answering: boolean;
  /** Determines whether the message names `AI_TEXT_MODEL` or `AI_IMAGE_MODEL`. */
  kind?: 'text' | 'image';
  /** Current time in milliseconds since 1970, for a `Retry-After` that is a date. */
  now?: number;
}

/**
 * Converts any error of the `openai` package to an EngineError. Its `cause`, which is logged, contains neither the request
 * and the headers nor the API key, which some servers quote in their message.
 */
export function toEngineError(
  error: unknown,
  { apiKey, answering, kind = 'text', now = Date.now() }: ErrorContext,
): EngineError {
  const cause = new Error(describe(error, apiKey));
  const providerCode = providerCodeOf(error);
  if (error instanceof APIConnectionError && !answering) {
    return new EngineError('The AI service could not be reached. Try again in a few minutes.', {
      retryable: true,
      scope: 'service',
      providerCode,
      cause,
    });
  }
  // A connection lost in the middle of a stream causes a TypeError of fetch, or an APIConnectionError.
  if (!(error instanceof APIError) || error instanceof APIConnectionError || isFailedGeneration(error))
    return incompleteAnswer(cause, providerCode);

  const status = error.status as number | undefined;
  if (isDeclined(error)) return new EngineError(DECLINED, { retryable: false, providerCode, cause });
  const named = [error.code ?? '', error.type ?? ''].find((code) => finalCodes[code]) ?? codeOfMessage(error);
  const final = finalCodes[named ?? ''] ?? finalStatuses[status ?? 0];
  const passes = status === 400 && named === undefined && CRASH.test(error.message);
  if (final && !passes) {
    const scope = scopeOf(named, status);
    return new EngineError(withModelVariable(kind, final), { retryable: false, scope, providerCode, cause });
  }
  if (!passes && status !== undefined && status >= 400 && status < 500 && !retryableStatuses.has(status)) {
    const message = withModelVariable(kind, finalStatuses[400] ?? '');
    return new EngineError(message, { retryable: false, providerCode, cause });
  }
  return new EngineError(
    status === 429
      ? 'The AI service is busy. Try again in a few minutes.'
      : 'The AI service failed. Try again in a few minutes.',
    {
      retryable: true,
      retryAfterMs: readRetryAfter(error.headers as Headers | undefined, now) ?? readWait(error),
      scope: 'service',
      providerCode,
      cause,
    },
  );
}

const withModelVariable = (kind: 'text' | 'image', message: string) =>
  kind === 'image' ? message.replaceAll('AI_TEXT_MODEL', 'AI_IMAGE_MODEL') : message;

/** Error of a stream that ended or failed before its `finish_reason`. */
export const incompleteAnswer = (cause?: Error, providerCode = 'incomplete') =>
  new EngineError('The AI service stopped before its answer was complete. Try again.', {
    retryable: true,
    providerCode,
    cause: cause ?? new Error('the stream ended without a finish_reason'),
  });

export const emptyAnswer = () =>
  new EngineError('The AI service gave an empty answer. Try again.', {
    retryable: true,
    providerCode: 'empty',
  });

/** Error of a model that reached its maximum length before its answer, for example in its reasoning. */
export const unbegunAnswer = () =>
  new EngineError(
    'The AI model reached its maximum length before it began its answer. Give it a shorter text; if that does not help, an operator needs to raise the limit of AI_TEXT_MODEL.',
    { retryable: true, providerCode: 'length', cause: new Error('finish_reason length without a text') },
  );

/** Error of an answer that reached the maximum length of the model, also when it was continued. */
export const truncatedAnswer = () =>
  new EngineError(
    'The AI model cannot write an answer of this length. Ask for a shorter text, or give it a shorter one.',
    { retryable: false, providerCode: 'length', cause: new Error('finish_reason length, twice') },
  );

/** Error of an answer whose reasoning was taken for its text. The next attempt leaves the reasoning out. */
export const untaggedReasoning = () =>
  new EngineError('The AI service sent its reasoning in place of its answer. Try again.', {
    retryable: true,
    cause: new Error('a closing tag of reasoning without an opening one'),
  });

export const endlessAnswer = () =>
  new EngineError('The AI service gave an answer that was too long. Try again.', {
    retryable: false,
    providerCode: 'length',
  });

export const refusedAnswer = () =>
  new EngineError(DECLINED, {
    retryable: false,
    providerCode: 'content_filter',
    cause: new Error('content_filter or refusal'),
  });

/** Fields of a network error. Used instead of `instanceof Error`, which is false for errors from another realm. */
interface ErrorLike {
  message?: string;
  code?: string | null;
  cause?: ErrorLike;
}

/** The HTTP status, `timeout`, a code of the network such as `ECONNREFUSED`, or the service's own code. */
function providerCodeOf(error: unknown): string | undefined {
  if (error instanceof APIError && error.status !== undefined) return String(error.status);
  if (error instanceof APIConnectionTimeoutError) return 'timeout';
  for (let cause = error as ErrorLike | null | undefined; cause; cause = cause.cause)
    if (typeof cause.code === 'string') return cause.code;
  return undefined;
}

function describe(error: unknown, apiKey: string): string {
  if (error instanceof APIError && error.status !== undefined) {
    const facts = [`HTTP ${String(error.status)}`, error.code, error.type, error.requestID].filter(Boolean);
    // Omits the message, which may quote parts of the key that `redact` would not find.
    if (Number(error.status) === 401) return facts.join(' ');
    return redact(`${facts.join(' ')}: ${error.message}`, apiKey);
  }
  const reasons: string[] = [];
  for (
    let cause = error as ErrorLike | undefined;
    cause?.message && reasons.length < 4;
    cause = cause.cause
  ) {
    reasons.push(cause.code ? `${cause.code}: ${cause.message}` : cause.message);
  }
  return redact(reasons.join(' / ') || String(error), apiKey);
}

const redact = (text: string, apiKey: string) => text.replaceAll(apiKey, '[key]');
