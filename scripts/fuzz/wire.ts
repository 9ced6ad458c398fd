import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Header names are in lower case. */
export interface Answer {
  status: number;
  headers: Map<string, string>;
  body: Buffer;
}

export interface Exchange {
  answers: Answer[];
  /** Received bytes that are not a whole answer. */
  rest: Buffer;
  /** The end: all expected answers came, the server closed the connection, or {@link ANSWER_MS} passed. */
  end: 'answered' | 'closed' | 'timeout';
}

/** The problem of an exchange without an answer. */
export const noAnswer = ({ end }: Exchange) =>
  end === 'timeout' ? 'no answer in time' : 'the connection was lost';

/** Milliseconds after which an answer counts as missing. */
const ANSWER_MS = 20_000;

/**
 * Writes bytes to a new connection and reads the answers. Node's HTTP client refuses most of these requests and hides how
 * a connection ended.
 * @param pieces written one after the other, each in its own turn of the event loop
 * @param methods the methods of the expected answers in their order: an answer to HEAD has no body
 */
export async function exchange(
  port: number,
  pieces: Iterable<Buffer | string>,
  methods: readonly string[] = ['GET'],
): Promise<Exchange> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const reader = new AnswerReader(methods);
  const { promise: ended, resolve } = Promise.withResolvers<Exchange['end']>();
  const timer = setTimeout(() => resolve('timeout'), ANSWER_MS);
  // A server that answers early may reset the connection while this side still writes.
  socket.on('error', () => resolve('closed'));
  socket.on('end', () => resolve('closed'));
  socket.on('close', () => resolve('closed'));
  socket.on('data', (data) => {
    reader.push(data);
    if (reader.answers.length >= methods.length) resolve('answered');
  });
  const written = write(socket, pieces);
  const end = await ended;
  clearTimeout(timer);
  if (end === 'closed') reader.finish();
  socket.destroy();
  await written;
  return { answers: reader.answers, rest: reader.rest, end };
}

async function write(socket: Socket, pieces: Iterable<Buffer | string>): Promise<void> {
  for (const piece of pieces) {
    if (!socket.writable) return;
    const isFull = !socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    if (isFull) await Promise.race([once(socket, 'drain').catch(() => undefined), once(socket, 'close')]);
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

const HEAD_END = '\r\n\r\n';

/** Parses HTTP/1.1 answers from a stream of bytes. */
class AnswerReader {
  readonly answers: Answer[] = [];
  rest: Buffer = Buffer.alloc(0);

  private readonly methods: readonly string[];

  constructor(methods: readonly string[]) {
    this.methods = methods;
  }

  push(data: Buffer): void {
    this.rest = Buffer.concat([this.rest, data]);
    while (this.readAnswer(false));
  }

  /** Ends an answer without a length, when the connection has ended. */
  finish(): void {
    while (this.readAnswer(true));
  }

  private readAnswer(isEnd: boolean): boolean {
    const headEnd = this.rest.indexOf(HEAD_END);
    if (headEnd < 0) return false;
    const [statusLine = '', ...lines] = this.rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? NaN);
    const headers = new Map(lines.map(splitHeader));
    const isInformation = status >= 100 && status < 200;
    const hasNoBody =
      isInformation ||
      status === 204 ||
      status === 304 ||
      this.methods[this.answers.length]?.toUpperCase() === 'HEAD';
    const start = headEnd + HEAD_END.length;
    const body = hasNoBody ? { bytes: Buffer.alloc(0), end: start } : this.readBody(headers, start, isEnd);
    if (!body) return false;
    this.rest = this.rest.subarray(body.end);
    if (!isInformation || status === 101) this.answers.push({ status, headers, body: body.bytes });
    return true;
  }

  private readBody(headers: Map<string, string>, start: number, isEnd: boolean) {
    const length = headers.get('content-length');
    if (headers.get('transfer-encoding') === 'chunked') return this.readChunks(start);
    const end = length === undefined ? (isEnd ? this.rest.length : NaN) : start + Number(length);
    return end <= this.rest.length ? { bytes: this.rest.subarray(start, end), end } : undefined;
  }

  private readChunks(start: number) {
    const chunks: Buffer[] = [];
    for (let at = start; ;) {
      const lineEnd = this.rest.indexOf('\r\n', at);
      if (lineEnd < 0) return undefined;
      const size = parseInt(this.rest.subarray(at, lineEnd).toString('latin1'), 16);
      const next = lineEnd + 2 + size + 2;
      if (next > this.rest.length) return undefined;
      if (size === 0) return { bytes: Buffer.concat(chunks), end: next };
      chunks.push(this.rest.subarray(lineEnd + 2, next - 2));
      at = next;
    }
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** At most `limit` bytes as text, with unprintable bytes escaped. */
export function printable(bytes: Buffer, limit = 2_000): string {
  const text = bytes
    .subarray(0, limit)
    .toString('latin1')
    .replace(/\r\n/g, '\n')
    .replace(/[^\n\x20-\x7e]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return bytes.length > limit ? `${text}… (${bytes.length} bytes)` : text;
}
