import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import { corpus } from './corpus.ts';
import {
  BOUNDARY,
  bodyOf,
  contentTypeOf,
  encode,
  multipart,
  oneLine,
  toBuffer,
  type Draft,
} from './draft.ts';
import { hostileName, hostileText, hostileValue } from './values.ts';

type Change = Arbitrary<(draft: Draft) => void>;

/** Breaks a request in one to three ways. */
export function changes(draft: Draft): Arbitrary<((draft: Draft) => void)[]> {
  const hasBody = draft.json !== undefined || draft.form !== undefined;
  const possible: Change[] = [path, query, header, header, method, contentType, bytes];
  if (draft.json !== undefined) possible.push(field, field, field, json);
  if (draft.form !== undefined) possible.push(part, part, part, formBytes);
  if (hasBody) possible.push(contentEncoding);
  return fc.array(fc.oneof(...possible), { minLength: 1, maxLength: 3 });
}

/** Replaces, removes or adds a field. */
const field: Change = fc
  .tuple(fc.constantFrom('replace', 'drop', 'add'), fc.nat(7), hostileName, hostileValue)
  .map(([what, index, name, value]) => (draft) => {
    if (typeof draft.json !== 'object' || draft.json === null) return;
    const fields = Object.entries(draft.json);
    const changed = fields[index % Math.max(fields.length, 1)]?.[0];
    if (what === 'add') fields.push([name, value]);
    const remaining = fields.filter(([key]) => what !== 'drop' || key !== changed);
    draft.json = Object.fromEntries(
      remaining.map(([key, old]) => [key, what === 'replace' && key === changed ? value : old]),
    );
  });

/** Replaces the whole body with a value that is not an object, or with invalid JSON. */
const json: Change = fc.oneof(
  fc
    .oneof(
      hostileValue,
      hostileValue.map((value) => Object.fromEntries([['__proto__', value]])),
    )
    .map((value) => (draft: Draft) => void (draft.json = value)),
  fc
    .constantFrom<(text: string) => string | Buffer>(
      (text) => text.slice(0, -1),
      (text) => `${text}${text}`,
      (text) => `\ufeff${text}`,
      (text) => text.replace(/^\{/, '{"prompt":1,"prompt":"two","__proto__":{"a":1},'),
      (text) => text.replace(/:[^,}]*/, ':NaN'),
      (text) => text.replace(/:[^,}]*/, ':1e9999'),
      (text) => text.replace(/:[^,}]*/, ':"\\ud800\\u0000"'),
      (text) => text.replace(/"/g, "'"),
      () => '{"a":'.repeat(9_000) + '1' + '}'.repeat(9_000),
      () => `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
      ...corpus.bodies.map((body) => () => body),
      () => Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xc0, 0x80, 0x22, 0x7d]),
    )
    .map((breakText) => (draft: Draft) => {
      draft.body = toBuffer(breakText(JSON.stringify(draft.json) ?? ''));
    }),
);

const part: Change = fc
  .tuple(
    fc.constantFrom('replace', 'drop', 'add', 'twice', 'file', 'name', 'type'),
    fc.nat(5),
    hostileName,
    hostileText,
  )
  .map(([what, index, name, text]) => (draft) => {
    const parts = draft.form;
    if (!parts) return;
    const at = index % Math.max(parts.length, 1);
    const one = parts[at] ?? { name, value: Buffer.from(text) };
    if (what === 'drop') parts.splice(at, 1);
    else if (what === 'add') parts.push({ name, value: Buffer.from(text) });
    else if (what === 'twice') parts.push(one);
    else if (what === 'file') parts[at] = { ...one, fileName: text };
    else if (what === 'name') parts[at] = { ...one, name };
    else if (what === 'type') parts[at] = { ...one, type: oneLine(text) };
    else parts[at] = { ...one, value: Buffer.from(text) };
  });

/** Breaks the format of a multipart body. */
const formBytes: Change = fc
  .constantFrom<(body: Buffer) => Buffer>(
    (body) => body.subarray(0, body.length - 6),
    (body) => body.subarray(0, body.length / 2),
    (body) => Buffer.concat([Buffer.from('preamble'), body, Buffer.from('epilogue')]),
    (body) => Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    (body) => Buffer.from(body.toString('latin1').replace('Content-Disposition', 'X-Disposition'), 'latin1'),
    (body) => Buffer.from(body.toString('latin1').replace(/name="[^"]*"/, 'name='), 'latin1'),
    (body) =>
      Buffer.from(body.toString('latin1').replace(/; name/, "; filename*=utf-8''%ff%00; name"), 'latin1'),
    (body) => Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${'X-A: b\r\n'.repeat(3_000)}\r\n\r\n`), body]),
    () => Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`.repeat(3_000)),
    () => Buffer.from(`--${BOUNDARY}--\r\n`),
    () => Buffer.from(`--${BOUNDARY}`),
  )
  .map((breakBody) => (draft) => {
    if (draft.form) draft.body = breakBody(multipart(draft.form));
  });

/** Sends any bytes as a body, also with methods that have none. */
const bytes: Change = fc
  .oneof(
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    fc.constant(Buffer.from('{}')),
    fc.constant(Buffer.alloc(130_000, 0x20)),
  )
  .map((body) => (draft) => void (draft.body = body));

const setHeader = (draft: Draft, name: string, value: string) => {
  draft.headers = draft.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  draft.headers.push([name, value]);
};

const contentType: Change = fc
  .constantFrom(...corpus.contentTypes)
  .map((type) => (draft) => setHeader(draft, 'Content-Type', type));

const contentEncoding: Change = fc
  .constantFrom<[string, (body: Buffer) => Buffer]>(
    ['gzip', (body) => body],
    ['gzip', (body) => gzipSync(body)],
    ['gzip', (body) => gzipSync(body).subarray(0, 12)],
    ['gzip', () => gzipSync(Buffer.alloc(20_000_000, 0x20))],
    ['deflate', (body) => body],
    ['br', (body) => body],
    ['zstd', (body) => body],
    ['identity', (body) => body],
    ['gzip, gzip', (body) => gzipSync(gzipSync(body))],
    ['nonsense', (body) => body],
  )
  .map(([encoding, encodeBody]) => (draft) => {
    draft.body = encodeBody(draft.body ?? bodyOf(draft));
    setHeader(draft, 'Content-Type', contentTypeOf(draft) ?? 'application/json');
    setHeader(draft, 'Content-Encoding', encoding);
  });

/** Changes a variable segment of the path, or the whole path. */
const path: Change = fc
  .oneof(fc.constantFrom(...corpus.pathSegments), hostileText.map(encode))
  .chain((value) =>
    fc.constantFrom<(draft: Draft) => void>(
      (draft) => void (draft.path = draft.path.replace(/\/[^/]*[0-9._%-][^/]*(?=\/|$)|$/, `/${value}`)),
      (draft) => void (draft.path = `${draft.path}/${value}`),
      (draft) => void (draft.path = draft.path.toUpperCase()),
      (draft) => void (draft.path = `${draft.path}/`),
      (draft) => void (draft.path = `/${draft.path}`),
      (draft) => void (draft.path = draft.path.replace('/api', '/api/.')),
    ),
  );

const query: Change = fc
  .tuple(
    fc.constantFrom(...corpus.queryNames),
    fc.oneof(hostileText.map(encode), fc.constantFrom(...corpus.queryValues)),
    fc.constantFrom<(name: string, value: string) => string[]>(
      (name, value) => [`${name}=${value}`],
      (name, value) => [`${name}=${value}`, `${name}=${value}`],
      (name, value) => [`${name}[]=${value}`],
      (name, value) => [`${name}[a][b]=${value}`],
      (name) => [name],
      (name, value) => Array.from({ length: 500 }, () => `${name}=${value.slice(0, 8)}`),
    ),
  )
  .map(([name, value, write]) => (draft) => {
    const own = draft.query.map((pair) => pair.split('=')[0]!);
    const named = name || (own[value.length % Math.max(own.length, 1)] ?? value);
    draft.query = [...draft.query.filter((pair) => !pair.startsWith(`${named}=`)), ...write(named, value)];
  });

/** Sets a header to a wrong value, or adds one a second time. */
const header: Change = fc
  .oneof(
    fc.constantFrom(
      ...Object.entries(corpus.headers).flatMap(([name, values]) =>
        values.map((value) => [name, value] as const),
      ),
    ),
    fc.tuple(
      fc.constantFrom(...corpus.textHeaders),
      hostileText.map((text) => oneLine(text).slice(0, 9_000)),
    ),
  )
  .chain(([name, value]) =>
    fc.boolean().map((twice) => (draft: Draft) => {
      if (twice) draft.headers.push([name, value]);
      else setHeader(draft, name, value);
    }),
  );

const method: Change = fc
  .constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY')
  .map((name) => (draft) => void (draft.method = name));
