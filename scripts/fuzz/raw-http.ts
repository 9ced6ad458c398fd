import { connect, type Socket } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';
import { checkHeaders, checkRefusal } from './checks.ts';
import { corpus } from './corpus.ts';
import { exchange, noAnswer, printable, type Exchange } from './wire.ts';

/** Sends something to the server and returns problems of the answer. */
export interface Attack {
  name: string;
  run: (port: number) => Promise<{ problems: string[]; sent: string }>;
}

interface RawCase {
  name: string;
  pieces: (Buffer | string)[];
  /** Methods of the expected answers; default: one GET. */
  methods?: string[];
  check: (exchange: Exchange) => string[];
}

const HOST = 'Host: localhost\r\n';
const get = (path = '/api/config', more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;
const post = (headers: string, body: string) =>
  `POST /api/user/plan HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`;
const SMUGGLED = 'smuggled';
const smuggled = get('/api/config', `X-Request-Id: ${SMUGGLED}\r\n`);

/** Requires an answer with one of these statuses. */
const answered =
  (...statuses: number[]) =>
  (exchange: Exchange): string[] => {
    const [answer] = exchange.answers;
    if (!answer) return [noAnswer(exchange)];
    return statuses.includes(answer.status) ? [] : [`status ${answer.status}, not ${statuses.join(' or ')}`];
  };

/** Requires one refusal as invalid HTTP and no second answer. */
function refused(exchange: Exchange): string[] {
  const [answer, next] = exchange.answers;
  if (!answer) return [noAnswer(exchange)];
  return [
    ...checkRefusal(answer, answer.body.toString()),
    ...(next ? [`a second answer after it: ${next.status}`] : []),
  ];
}

/** Requires that the server does not read a body as another request. */
function notSmuggled({ answers }: Exchange): string[] {
  const isSmuggled = answers.some(({ headers }) => headers.get('x-request-id') === SMUGGLED);
  return isSmuggled ? ['the body was read as a request'] : [];
}

/** Allows every answer below 500, or none: the request is not HTTP/1.1. */
const anything = ({ answers }: Exchange) =>
  answers.filter(({ status }) => status >= 500).map(({ status }) => `status ${status}`);

/** Requires answers in the order of their requests. */
const inOrder = (ids: string[]) => (result: Exchange) => {
  const found = result.answers.map(({ headers }) => headers.get('x-request-id'));
  return found.join() === ids.join() ? [] : [`answers to ${found.join() || 'none'}, not ${ids.join()}`];
};

const JSON_BODY = '{"plan":"gold"}';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

const cases: Arbitrary<RawCase>[] = [
  fc.integer({ min: 1, max: 40 }).map((size) => ({
    name: 'a request in small pieces',
    pieces: split(get(), size),
    check: answered(200),
  })),
  fc.integer({ min: 2, max: 12 }).map((count) => {
    const ids = Array.from({ length: count }, (_, index) => `pipelined-${index}`);
    const paths = ['/api/config', '/health/live', '/api/nothing', '/', '/api/jobs'];
    return {
      name: 'requests sent without waiting',
      pieces: [ids.map((id, index) => get(paths[index % paths.length], `X-Request-Id: ${id}\r\n`)).join('')],
      methods: ids.map(() => 'GET'),
      check: inOrder(ids),
    };
  }),
  fc.constantFrom(...corpus.requestHeads).map((bad) => ({
    name: 'a broken request after a good one',
    pieces: [get('/api/config', 'X-Request-Id: good\r\n') + bad],
    methods: ['GET', 'GET'],
    check: ({ answers }: Exchange) =>
      answers[0]?.headers.get('x-request-id') === 'good' ? [] : ['the good request was not answered'],
  })),
  fc.constantFrom(...corpus.requestHeads).map((head) => ({
    name: 'a broken head',
    pieces: [head],
    methods: ['GET', 'GET'],
    check: refused,
  })),
  fc.constantFrom(...corpus.contradictingLengths).map(({ headers, body }) => ({
    name: 'contradicting lengths',
    pieces: [post(headers, body + smuggled)],
    methods: ['POST', 'GET'],
    check: (result: Exchange) => [...notSmuggled(result), ...refused(result)],
  })),
  fc.constantFrom(...corpus.chunks).map((chunks) => ({
    name: 'broken chunks',
    pieces: [post('Transfer-Encoding: chunked\r\n', chunks + smuggled)],
    methods: ['POST', 'GET'],
    check: (result: Exchange) => [...notSmuggled(result), ...refused(result)],
  })),
  fc.integer({ min: 1, max: 15 }).map((size) => ({
    name: 'a body in chunks with extensions and a trailer',
    pieces: [
      post('Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n', ''),
      ...Array.from({ length: Math.ceil(JSON_BODY.length / size) }, (_, index) =>
        chunk(JSON_BODY.slice(index * size, (index + 1) * size)).replace('\r\n', ';name="value"\r\n'),
      ),
      '0\r\nX-Sum: 1\r\n\r\n',
    ],
    check: answered(401),
  })),
  ...corpus.requests.map(({ name, requests, statuses }) =>
    fc
      .constantFrom(...requests)
      .map((request) => ({ name, pieces: [request], check: answered(...statuses) })),
  ),
  fc.uint8Array({ minLength: 1, maxLength: 500 }).map((bytes) => ({
    name: 'random bytes',
    pieces: [Buffer.concat([Buffer.from(bytes), Buffer.from('\r\n\r\n')])],
    check: anything,
  })),
  fc
    .constantFrom('\r\n\r\n', '\n', `\r\n${get()}`, 'GET / HTTP/1.1\n' + HOST.trim() + '\n\n', 'GET /')
    .map((text) => ({
      name: 'empty lines and an incomplete request',
      pieces: [text, get()],
      check: anything,
    })),
  fc.integer({ min: 1, max: 14 }).map((sent) => ({
    name: 'the next request instead of the rest of a body',
    pieces: [post('Content-Length: 15\r\n', JSON_BODY.slice(0, sent)), get()],
    methods: ['POST'],
    check: answered(400, 401),
  })),
];

/** Requests that no client sends, written as bytes. */
export const rawAttacks: Arbitrary<Attack> = fc.oneof(...cases).map((raw) => ({
  name: raw.name,
  run: async (port) => {
    const result = await exchange(port, raw.pieces, raw.methods);
    const sent = printable(Buffer.concat(raw.pieces.map((piece) => Buffer.from(piece as string, 'latin1'))));
    const headers = result.answers.flatMap(checkHeaders);
    const failed = result.answers.filter(({ status }) => status >= 500);
    return {
      problems: [...raw.check(result), ...headers, ...failed.map(({ status }) => `status ${status}`)],
      sent,
    };
  },
}));

/** Incomplete requests that stay open during the whole run, like a slow client's. @param token a user's token */
export class StalledRequests {
  private readonly connections: { socket: Socket; received: Buffer[] }[];

  constructor(port: number, token: string) {
    const halves = [
      get().slice(0, -2),
      'GET /api/con',
      '',
      post('Content-Length: 15\r\n', JSON_BODY.slice(0, 5)),
      post(`Authorization: Bearer ${token}\r\nContent-Length: 15\r\n`, JSON_BODY.slice(0, 5)),
    ];
    this.connections = Array.from({ length: 40 }, (_, index) => {
      const socket = connect({ port, host: '127.0.0.1' });
      const received: Buffer[] = [];
      socket.on('error', () => undefined);
      socket.on('data', (data) => received.push(data));
      socket.write(halves[index % halves.length]!);
      return { socket, received };
    });
  }

  /** Closes the connections. @returns answers other than 408, and than 401, which does not wait for a body */
  end(): string[] {
    const answers = this.connections.map(({ received }) => Buffer.concat(received).toString());
    for (const { socket } of this.connections) socket.destroy();
    const wrong = answers.filter((text) => text !== '' && !/^HTTP\/1\.1 40[18] /.test(text));
    return wrong.map((text) => `An incomplete request was answered: ${text.slice(0, 200)}`);
  }
}

function split(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}
