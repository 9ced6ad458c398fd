import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { writeArticle } from './article.ts';
import { drawAnswer, drawPartial, readImageBody, whatIsWrong, type ImageBody } from './images.ts';
import { Stops } from './stops.ts';
import { answerInForm } from './text-answers.ts';
import { behaviourFromMarkers, withoutMarkers, type Behaviour } from './behaviour.ts';

export interface ProviderOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  /** 127.0.0.1 by default; 0.0.0.0 lets containers of this machine in. */
  host?: string;
  /** When set, any other key is refused with 401. */
  apiKey?: string;
  /** Defaults for every request, which its script or its markers override. */
  defaults?: Behaviour;
  /** Words in one piece of a stream. */
  wordsPerPiece?: number;
}

export interface ChatBody {
  model: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
}

export interface ModerationBody {
  model: string;
  input: ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[];
}

/** One request as the fake provider saw it. Times are milliseconds of `performance.now()`. */
export interface ProviderRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body of a chat request. */
  body: ChatBody | null;
  /** The fields of a request for a picture. */
  image: ImageBody | null;
  /** The parsed JSON body of a request for moderation. */
  moderation: ModerationBody | null;
  receivedAt: number;
  /** Whether the answer has begun, with or without a piece. */
  readonly headersSent: boolean;
  firstTokenAt: number | null;
  /** Pieces of text sent so far. */
  pieces: number;
  open: boolean;
  /** When the client broke the connection off before the answer was whole; null if it did not. */
  abortedAt: number | null;
  /** Settles when the request is over, whichever way. */
  over: Promise<void>;
}

/** What one request costs: tokens of a text that was begun, or a picture that was drawn. */
export interface BilledRequest {
  model: string;
  input: number;
  output: number;
  images: number;
}

export interface FakeProvider {
  /** Base address for `OPENAI_BASE_URL`, with `/v1`. */
  url: string;
  requests: ProviderRequest[];
  /** Every request that was not refused, also if the client did not wait for the end of its answer. */
  bill: BilledRequest[];
  /** Requests that are being answered. */
  readonly open: number;
  /** The next requests behave like this, one each, in this order. */
  script(...behaviours: Behaviour[]): void;
  /** Streams that wait at a stop. */
  readonly stopped: number;
  /** Lets what waits at a stop go on. */
  goOn(): void;
  /** Breaks off whatever is open and frees the port. */
  close(): Promise<void>;
}

const DEFAULT_WORDS = 400;
const ENDLESS_PIECE = 'and so on, '.repeat(400);

/**
 * Starts a server on 127.0.0.1 that speaks the OpenAI wire protocol as a provider would, and misbehaves on request:
 * `POST /v1/chat/completions` (streaming or not), `POST /v1/images/generations`, `POST /v1/images/edits`,
 * `POST /v1/moderations` and `GET /v1/models`.
 */
export async function startFakeProvider(options: ProviderOptions = {}): Promise<FakeProvider> {
  const requests: ProviderRequest[] = [];
  const bill: BilledRequest[] = [];
  const scripted: Behaviour[] = [];
  const seen = new Map<string, number>();
  const pictures: Buffer[] = [];
  const stops = new Stops();

  const server = createServer((request, response) => {
    const record = open(request, response);
    requests.push(record);
    void answer(request, response, record).catch((error: unknown) => {
      if (!response.destroyed) response.destroy(error instanceof Error ? error : undefined);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse, record: ProviderRequest) {
    if (options.apiKey && request.headers.authorization !== `Bearer ${options.apiKey}`) {
      return refuse(response, { status: 401, code: 'invalid_api_key' });
    }
    if (request.method === 'GET' && record.path === '/v1/models') {
      return json(response, 200, {
        object: 'list',
        data: [{ id: 'fake-model', object: 'model', owned_by: 'test' }],
      });
    }
    if (request.method === 'GET' && record.path.startsWith('/pictures/'))
      return servePicture(response, record);
    if (request.method !== 'POST') return refuse(response, { status: 404 });
    if (record.path === '/v1/images/generations' || record.path === '/v1/images/edits')
      return answerImage(request, response, record);
    if (record.path === '/v1/moderations') return answerModeration(request, response, record);
    if (record.path !== '/v1/chat/completions') return refuse(response, { status: 404 });
    const body = parseBody(await read(request));
    if (!body) return refuse(response, { status: 400, code: 'invalid_json' });
    record.body = body;

    const prompt = body.messages.findLast((message) => message.role === 'user')?.content ?? '';
    const behaviour = behaviourFor(prompt);
    if (behaviour.hang === 'headers') return record.over;
    if (behaviour.status) return refuse(response, behaviour);
    if (behaviour.garbage) return answerGarbage(response);
    const topic = withoutMarkers(prompt) + (behaviour.vary ? `, version ${behaviour.repetition + 1}` : '');
    const text =
      behaviour.text ??
      answerInForm(body.messages) ??
      writeArticle(topic, behaviour.words ?? wordsAskedFor(body));
    if (!body.stream)
      bill.push({ model: body.model, input: inputTokensOf(body), output: tokensOf(text), images: 0 });
    return body.stream
      ? stream(response, record, body, behaviour, text)
      : whole(response, record, body, behaviour, text);
  }

  async function answerModeration(
    request: IncomingMessage,
    response: ServerResponse,
    record: ProviderRequest,
  ) {
    const body = JSON.parse(await read(request)) as ModerationBody;
    record.moderation = body;
    const behaviour = behaviourFor(
      body.input.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
    );
    if (behaviour.hang) return record.over;
    if (behaviour.stops) await stops.stop(record.over);
    await wait(behaviour.paceMs, record);
    if (behaviour.status) return refuse(response, behaviour);
    if (behaviour.garbage) return answerGarbage(response);
    json(response, 200, {
      id: 'modr-fake',
      model: body.model,
      results: [{ flagged: behaviour.flags ?? false, categories: {}, category_scores: {} }],
    });
  }

  function behaviourFor(prompt: string): Behaviour & { repetition: number } {
    const repetition = seen.get(prompt) ?? 0;
    seen.set(prompt, repetition + 1);
    return {
      ...options.defaults,
      ...behaviourFromMarkers(prompt, repetition),
      ...scripted.shift(),
      repetition,
    };
  }

  async function answerImage(request: IncomingMessage, response: ServerResponse, record: ProviderRequest) {
    const edit = record.path.endsWith('/edits');
    const body = await readImageBody(request, edit);
    if (!body?.prompt) return refuse(response, { status: 400, code: 'invalid_body' });
    record.image = body;
    const behaviour = behaviourFor(body.prompt);
    if (body.partials !== null && behaviour.partials === 'refuse') {
      return refuse(response, { status: 400, code: 'unknown_parameter' });
    }
    const streams = body.partials !== null && !behaviour.partials && !behaviour.address;
    if (behaviour.hang && !(streams && behaviour.hang === 'stream')) return record.over;
    await wait(behaviour.paceMs, record);
    if (!record.open) return;
    if (behaviour.status) return refuse(response, behaviour);
    if (behaviour.garbage) return answerGarbage(response);
    if (behaviour.text === '') return json(response, 200, { created: 0, data: [] });
    const wrong = edit ? await whatIsWrong(body) : null;
    if (wrong) return refuse(response, { status: 400, code: wrong });
    bill.push({ model: body.model, ...PICTURE_TOKENS, images: 1 });
    const picture = await drawAnswer(body, behaviour);
    if (streams)
      return streamPicture(response, record, edit ? 'image_edit' : 'image_generation', picture, behaviour);
    const data = behaviour.address
      ? { url: addressOf(behaviour.address, picture) }
      : { b64_json: picture.toString('base64') };
    if (behaviour.cut) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000000' });
      response.write('{"data":[{"b64_json":"iVBORw0');
      await pause(20);
      record.open = false;
      response.destroy();
      return;
    }
    json(response, 200, { created: 0, data: [data] });
  }

  /** Partial images, each sharper than the one before, and the picture; a stop waits after each partial image. */
  async function streamPicture(
    response: ServerResponse,
    record: ProviderRequest,
    kind: 'image_edit' | 'image_generation',
    picture: Buffer,
    { paceMs, stops: stopsAsked = 0, cut, hang, errorInStream }: Behaviour,
  ) {
    const send = (type: string, fields: object) =>
      response.write(
        `event: ${kind}.${type}\ndata: ${JSON.stringify({ type: `${kind}.${type}`, ...fields })}\n\n`,
      );
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (let index = 0; index < record.image!.partials!; index += 1) {
      const partial = await drawPartial(picture, index);
      send('partial_image', { partial_image_index: index, b64_json: partial.toString('base64') });
      record.pieces += 1;
      if (cut) {
        await pause(20);
        record.open = false;
        return void response.destroy();
      }
      if (errorInStream)
        return void response.end(`data: ${JSON.stringify({ error: { message: 'Broken.' } })}\n\n`);
      if (hang === 'stream') return record.over;
      if (index < stopsAsked) await stops.stop(record.over);
      await wait(paceMs, record);
      if (!record.open) return;
    }
    send('completed', {
      b64_json: picture.toString('base64'),
      usage: { input_tokens: PICTURE_TOKENS.input, output_tokens: PICTURE_TOKENS.output },
    });
    response.end();
  }

  function addressOf(kind: NonNullable<Behaviour['address']>, picture: Buffer): string {
    if (kind === 'data') return `data:image/png;base64,${picture.toString('base64')}`;
    if (kind === 'elsewhere') return 'http://169.254.169.254/latest/meta-data/';
    pictures.push(picture);
    return `${origin()}/${kind === 'redirect' ? 'pictures/moved' : `pictures/${pictures.length - 1}`}`;
  }

  function servePicture(response: ServerResponse, record: ProviderRequest) {
    if (record.path.endsWith('/moved')) {
      response.writeHead(302, { location: `${origin()}/pictures/0` }).end();
      return;
    }
    const picture = pictures[Number(record.path.split('/').at(-1))];
    if (!picture) return refuse(response, { status: 404 });
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  }

  async function stream(
    response: ServerResponse,
    record: ProviderRequest,
    body: ChatBody,
    behaviour: Behaviour,
    text: string,
  ) {
    const pieces = piecesOf(text, options.wordsPerPiece ?? 4);
    const stopAt =
      behaviour.cut || behaviour.errorInStream || behaviour.hang === 'stream'
        ? Math.ceil(pieces.length / 2)
        : Infinity;
    const send = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`);
    const chunk = (delta: object, finish: string | null = null) =>
      send({ ...head(body, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] });

    let sent = '';
    bill.push({
      ...{ model: body.model, input: inputTokensOf(body), images: 0 },
      get output() {
        return tokensOf(sent);
      },
    });
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    chunk({ role: 'assistant', content: '' });
    if (behaviour.hang === 'first-token') return record.over;
    for (let i = 0; i < (behaviour.reasoning ?? 0); i += 1) {
      chunk({ reasoning_content: `Thinking, step ${i + 1}. ` });
      await wait(behaviour.paceMs, record);
    }
    while (behaviour.endless && record.open) {
      chunk({ content: ENDLESS_PIECE });
      await pause(1);
    }
    const stride = behaviour.stops ? Math.ceil(pieces.length / (behaviour.stops + 1)) : Infinity;
    for (const piece of pieces) {
      if (record.pieces > 0 && record.pieces % stride === 0) await stops.stop(record.over);
      if (!record.open) return;
      if (record.pieces >= stopAt) break;
      chunk({ content: piece });
      sent += piece;
      record.firstTokenAt ??= performance.now();
      record.pieces += 1;
      await wait(behaviour.paceMs, record);
    }
    if (!record.open) return;
    if (behaviour.hang === 'stream') return record.over;
    if (behaviour.cut) {
      // Let what was written leave first: the client sees text, then a broken connection.
      await pause(20);
      record.open = false;
      response.destroy();
      return;
    }
    if (behaviour.errorInStream) {
      send({
        error: { message: 'The server had an error while processing your request.', type: 'server_error' },
      });
      response.end();
      return;
    }
    const finish = behaviour.finish === undefined ? 'stop' : behaviour.finish;
    if (finish) chunk({}, finish);
    if (body.stream_options?.include_usage)
      send({ ...head(body, 'chat.completion.chunk'), choices: [], usage: usageOf(body, text) });
    response.end(behaviour.isUnfinished ? undefined : 'data: [DONE]\n\n');
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin()}/v1`,
    requests,
    bill,
    get open() {
      return requests.filter((request) => request.open).length;
    },
    script: (...behaviours) => void scripted.push(...behaviours),
    get stopped() {
      return stops.count;
    },
    goOn: () => stops.release(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function open(request: IncomingMessage, response: ServerResponse): ProviderRequest {
  const over = Promise.withResolvers<void>();
  const record: ProviderRequest = {
    method: request.method ?? '',
    path: new URL(request.url ?? '/', 'http://fake').pathname,
    headers: request.headers,
    body: null,
    image: null,
    moderation: null,
    receivedAt: performance.now(),
    get headersSent() {
      return response.headersSent;
    },
    firstTokenAt: null,
    pieces: 0,
    open: true,
    abortedAt: null,
    over: over.promise,
  };
  response.once('close', () => {
    // `open` is already false here when it was the fake provider that broke the connection.
    if (record.open && !response.writableFinished) record.abortedAt = performance.now();
    record.open = false;
    over.resolve();
  });
  return record;
}

async function whole(
  response: ServerResponse,
  record: ProviderRequest,
  body: ChatBody,
  behaviour: Behaviour,
  text: string,
) {
  if (behaviour.hang) return record.over;
  await wait(behaviour.paceMs, record);
  if (behaviour.cut) {
    record.open = false;
    response.destroy();
    return;
  }
  const message = { role: 'assistant', content: text };
  json(response, 200, {
    ...head(body, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: behaviour.finish ?? 'stop' }],
    usage: usageOf(body, text),
  });
}

const wait = (ms: number | undefined, record: ProviderRequest) =>
  ms ? Promise.race([pause(ms), record.over]) : Promise.resolve();

const head = (body: ChatBody, object: string) => ({
  id: 'chatcmpl-fake',
  object,
  created: 0,
  model: body.model,
});

/** As a tokenizer of a model counts: short words are one token, long ones several, signs one each. */
const tokensOf = (text: string): number => text.match(/[\p{L}\p{N}]{1,6}|[^\p{L}\p{N}\s]/gu)?.length ?? 0;

const inputTokensOf = ({ messages }: ChatBody): number =>
  messages.reduce((sum, { content }) => sum + tokensOf(String(content)), 0);

const usageOf = (body: ChatBody, text: string) => {
  const [prompt_tokens, completion_tokens] = [inputTokensOf(body), tokensOf(text)];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
};

const PICTURE_TOKENS = { input: 5, output: 7 };

/** The length that the instructions name ("about 800 words"), else the default. */
function wordsAskedFor(body: ChatBody): number {
  const system = body.messages.find((message) => message.role === 'system')?.content ?? '';
  return Number(/about (\d+) words/.exec(system)?.[1] ?? DEFAULT_WORDS);
}

function piecesOf(text: string, words: number): string[] {
  return text.match(new RegExp(`(?:\\s*\\S+){1,${words}}\\s*?`, 'g')) ?? [];
}

function refuse(response: ServerResponse, { status = 500, headers, code }: Behaviour) {
  if (status === 429) headers ??= { 'retry-after': '1' };
  // A real provider quotes the key it refuses; ours must not reach a user or a log.
  const message = status === 401 ? 'Incorrect API key provided: sk-fake-secret.' : `Refused with ${status}.`;
  json(response, status, { error: { message, type: 'fake', param: null, code: code ?? null } }, headers);
}

function answerGarbage(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end('data: {"choices": [{"delta": \u0000\n\n<html>\ndata: 7\n\nevent: ]]>\n');
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request) text += piece as string;
  return text;
}

function parseBody(text: string): ChatBody | null {
  try {
    const body = JSON.parse(text) as ChatBody;
    return Array.isArray(body.messages) ? body : null;
  } catch {
    return null;
  }
}
