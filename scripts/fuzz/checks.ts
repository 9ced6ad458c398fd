import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { Operation, Schema } from './document.ts';
import type { FuzzRequest } from './draft.ts';
import type { World } from './requests.ts';
import { noAnswer, type Answer, type Exchange } from './wire.ts';

/** Headers of every answer, and their required values. */
const SECURITY_HEADERS: [name: string, value: RegExp][] = [
  ['x-content-type-options', /^nosniff$/],
  ['x-frame-options', /^DENY$/],
  ['content-security-policy', /default-src 'self'.*object-src 'none'/],
  ['referrer-policy', /./],
  ['permissions-policy', /camera=\(\)/],
  ['cross-origin-opener-policy', /^same-origin$/],
  ['cross-origin-resource-policy', /^(same|cross)-origin$/],
];
const STACK_TRACE = /\n\s+at .+:\d+:\d+|node_modules\/|\/dist\/(api|libs|chunks)\//;
/** The code of a job whose prompt asks the fake provider to refuse. */
const EXPECTED_FAILURE = 'PROVIDER_FAILED';
const MAX_HEAD_BYTES = 15_000;

/** @returns problems of the answer to a request */
export function checkExchange(world: World, request: FuzzRequest, exchange: Exchange): string[] {
  const [answer] = exchange.answers;
  if (!answer) return [noAnswer(exchange)];
  return [...checkHeaders(answer), ...checkStatus(world, request, answer)];
}

/** @returns problems of an answer's headers */
export function checkHeaders({ headers }: Answer): string[] {
  const wrong = SECURITY_HEADERS.filter(([name, value]) => !value.test(headers.get(name) ?? ''));
  const cookie = headers.get('set-cookie');
  return [
    ...wrong.map(([name]) => `the header ${name} is ${headers.get(name) ?? 'missing'}`),
    ...(headers.has('x-powered-by') || headers.has('server') ? ['a header names the software'] : []),
    ...(cookie && !/HttpOnly/i.test(cookie) ? [`a cookie for scripts: ${cookie}`] : []),
  ];
}

function checkStatus(world: World, request: FuzzRequest, answer: Answer): string[] {
  const body = textOf(answer);
  if (body instanceof Error) return [`the body cannot be read: ${body.message}`];
  const isHead = request.method === 'HEAD';
  const secret = world.stranger.secret;
  const leaks = [
    ...(body.includes(secret) &&
    !isRevealed(request, answer) &&
    !JSON.stringify(request.target + request.body.toString()).includes(secret)
      ? ['the answer has data of another user']
      : []),
    ...(STACK_TRACE.test(body) && isJson(answer) ? ['the answer has a stack trace'] : []),
  ];
  if (isMalformed(request) || (answer.status === 431 && isLong(request)))
    return [...leaks, ...checkRefusal(answer, isHead ? '' : body)];
  // `If-None-Match: *` matches everything that exists (RFC 9110, 13.1.2).
  if (answer.status === 304 && request.headers.some(([name]) => /^if-none-match$/i.test(name))) return leaks;
  const operation = world.document.operationOf(request.method, request.target);
  if (operation) return [...leaks, ...checkDocumented(world, operation, answer, isHead ? undefined : body)];
  return [...leaks, ...checkUndocumented(world, request, answer, isHead ? undefined : body)];
}

/** @returns differences between an answer and the documentation of its operation */
function checkDocumented(world: World, operation: Operation, answer: Answer, body: string | undefined) {
  const documented = operation.answers.get(answer.status);
  if (!documented) return [`status ${answer.status} is not documented: ${body}`];
  const problems: string[] = [];
  const parsed = isJson(answer) && body !== undefined ? parse(body) : undefined;
  const { code } = (parsed ?? {}) as { code?: string };
  if (answer.status >= 500 && code !== EXPECTED_FAILURE) problems.push(`status ${answer.status}: ${body}`);
  if (body === undefined) return problems;
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]!;
  const content = documented.content[type];
  if (!content) {
    const isEmpty = Object.keys(documented.content).length === 0 && body === '';
    return isEmpty ? problems : [...problems, `the type ${type || '(none)'} is not documented`];
  }
  if (type === 'application/json') problems.push(...checkJson(world, content.schema, body, parsed));
  if (answer.status >= 400) problems.push(...checkFailure(answer, parsed, documented.codes));
  return problems;
}

function checkJson(world: World, schema: Schema, text: string, parsed: unknown): string[] {
  if (parsed === undefined) return [`the body is not JSON: ${text.slice(0, 200)}`];
  const mismatch = world.document.mismatch(schema, parsed);
  return mismatch === null ? [] : [`the body does not fit its schema: ${mismatch}\n${text.slice(0, 500)}`];
}

function checkFailure(answer: Answer, parsed: unknown, codes: string[]): string[] {
  if (parsed === undefined) return [];
  const { code, requestId } = parsed as { code: string; requestId: string };
  return [
    ...(codes.length === 0 || codes.includes(code)
      ? []
      : [`the code ${code} is not documented for ${answer.status}`]),
    ...(requestId === answer.headers.get('x-request-id') ? [] : ['the request id differs from the header']),
    ...(answer.headers.get('cache-control') === 'no-store' ? [] : ['an error may be cached']),
  ];
}

/** Checks answers without documentation: of the accounts library, of pages, to other methods and unknown paths. */
function checkUndocumented(
  world: World,
  request: FuzzRequest,
  answer: Answer,
  body: string | undefined,
): string[] {
  if (answer.status >= 500) return [`status ${answer.status}: ${body}`];
  const path = request.target.split(/[?#]/)[0]!;
  // Calls of MCP fail inside of an answer with status 200.
  if (/^\/mcp\/?$/i.test(path) && /\(INTERNAL\)|"code":-32603\b/.test(body ?? ''))
    return [`an internal error: ${body}`];
  if (body === undefined || !/^\/api(\/|$)/i.test(path)) return [];
  if (/^\/api\/auth(\/|$)/i.test(path)) {
    const isWrong = isJson(answer) && body !== '' && parse(body) === undefined;
    return isWrong ? [`the body is not JSON: ${body.slice(0, 200)}`] : [];
  }
  if (answer.status < 400) return [];
  const problem = world.document.mismatch({ $ref: '#/components/schemas/Failure' }, parse(body));
  return problem === null ? [] : [`the error has another format: ${problem}\n${body.slice(0, 300)}`];
}

/** Checks the answer to a request that the HTTP parser rejects before any route. @returns problems */
export function checkRefusal({ status }: Answer, body: string): string[] {
  if (![400, 408, 413, 417, 431].includes(status))
    return [`status ${status} to invalid HTTP: ${body.slice(0, 200)}`];
  const { success, code } = (parse(body) ?? {}) as { success?: boolean; code?: string };
  return body === '' || (success === false && code !== undefined)
    ? []
    : [`the error has another format: ${body.slice(0, 200)}`];
}

/** True if an operator asked for the texts of a user, which the audit log then has. */
const isRevealed = ({ from, user }: FuzzRequest, { status }: Answer) =>
  from.startsWith('admin-reveal-') && user?.name === 'operator' && status === 200;

/** True if the request's head may exceed Node's limit of 16 KB. */
const isLong = ({ target, headers }: FuzzRequest) =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, target.length) >
  MAX_HEAD_BYTES;

/** True for invalid HTTP: control characters, spaces in the target, no host or several. */
function isMalformed({ target, headers }: FuzzRequest): boolean {
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host');
  return (
    hosts.length !== 1 ||
    /\s|\p{Cc}/u.test(target) ||
    headers.some(([, value]) => /[^\P{Cc}\t\x80-\x9f]/u.test(value))
  );
}

const isJson = ({ headers }: Answer) => headers.get('content-type')?.startsWith('application/json') ?? false;

/** The uncompressed body as text; an error where its encoding is not the stated one. */
function textOf({ headers, body }: Answer): string | Error {
  const encoding = headers.get('content-encoding');
  const decoders: Record<string, (bytes: Buffer) => Buffer> = {
    gzip: gunzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
  };
  if (encoding === undefined || body.length === 0) return body.toString();
  try {
    return decoders[encoding]!(body).toString();
  } catch (error) {
    return error as Error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
