import type { FuzzUser } from './users.ts';

export interface FuzzRequest {
  /** The id of its operation, or its path. */
  from: string;
  user: FuzzUser | undefined;
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
}

export interface FormPart {
  name: string;
  value: Buffer;
  fileName?: string;
  type?: string;
}

/** A request under construction; changes break it. */
export interface Draft {
  user: FuzzUser | undefined;
  method: string;
  path: string;
  /** Encoded pairs. */
  query: string[];
  headers: [string, string][];
  json?: unknown;
  form?: FormPart[];
  /** Replaces `json` and `form`. */
  body?: Buffer;
}

export const BOUNDARY = 'fuzz';

export function finish(from: string, draft: Draft): FuzzRequest {
  const { user, method: name, headers } = draft;
  const has = (wanted: string) => headers.some(([other]) => other.toLowerCase() === wanted);
  const body = draft.body ?? bodyOf(draft);
  const type = contentTypeOf(draft);
  const target = `${draft.path || '/'}${draft.query.length > 0 ? `?${draft.query.join('&')}` : ''}`;
  return {
    from,
    user,
    method: name,
    target,
    headers: [
      ...(has('host') ? [] : [['Host', 'localhost'] as [string, string]]),
      ...(user && !has('authorization')
        ? [['Authorization', `Bearer ${user.token}`] as [string, string]]
        : []),
      ...(type && !has('content-type') ? [['Content-Type', type] as [string, string]] : []),
      ...(body.length > 0 || draft.body ? [['Content-Length', String(body.length)] as [string, string]] : []),
      ...headers,
    ],
    body,
  };
}

export const contentTypeOf = ({ json: value, form }: Draft) =>
  form ? `multipart/form-data; boundary=${BOUNDARY}` : value === undefined ? undefined : 'application/json';

export function bodyOf({ json: value, form }: Draft): Buffer {
  if (form) return multipart(form);
  return toBuffer(value === undefined ? '' : JSON.stringify(value));
}

export function multipart(parts: FormPart[]): Buffer {
  const quoted = (text: string) => oneLine(text).replaceAll('"', '%22');
  const chunks = parts.flatMap(({ name, value, fileName, type }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(name)}"` +
        (fileName === undefined ? '' : `; filename="${quoted(fileName)}"`) +
        `\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    value,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** The bytes of the request on the wire. */
export function bytesOf({ method: name, target, headers, body }: FuzzRequest): Buffer {
  const lines = headers.map(([key, value]) => `${key}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${name} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1'), body]);
}

export const toBuffer = (text: string | Buffer) => (typeof text === 'string' ? Buffer.from(text) : text);
export const oneLine = (text: string) => latin1(text.replace(/[\r\n]/g, ' '));
/** UTF-8 bytes as latin1 characters, for headers. */
export const latin1 = (text: string) => Buffer.from(text.replace(/[\r\n]/g, ' ')).toString('latin1');
export const encode = (text: string) => encodeURIComponent(text.toWellFormed());
