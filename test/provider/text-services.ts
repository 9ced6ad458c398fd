import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONTINUE_PROMPT } from '#libs/ai/continuation.js';
import { writeArticle } from './article.ts';
import { answerInForm } from './text-answers.ts';

/** A request for a text. */
export interface Asked {
  messages: { role: string; content: string }[];
  stream?: unknown;
  stream_options?: unknown;
  response_format?: unknown;
}

interface Call {
  response: ServerResponse;
  asked: Asked;
  /** The answer of a good service. */
  text: string;
}

/** How a service with OpenAI's protocol behaves, as users reported it. */
export interface TextService {
  /** The behaviour, and servers that have it. */
  name: string;
  reply: (call: Call) => void | Promise<void>;
  /** What the user reads of the failed job, which is not charged. Without it, the user gets the result and is charged. */
  message?: RegExp;
  /** True if a failed job is repeated. */
  isRetried?: boolean;
  /** True if the text around an answer is left out, which tools that answer questions do not do. */
  isWrapped?: boolean;
}

export const DONE = 'data: [DONE]\n\n';
export const event = (chunk: unknown) => `data: ${JSON.stringify(chunk)}\n\n`;
export const chunk = (delta: object, finish_reason?: string | object | null) =>
  event({
    id: 'x',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, ...(finish_reason !== undefined && { finish_reason }) }],
  });
const STOP = chunk({}, 'stop') + DONE;

interface StreamOptions {
  /** The last events. */
  end?: string;
  /** Events before the text. */
  start?: string;
  /** Characters of a piece. */
  size?: number;
  /** An event of a piece of text. */
  piece?: (text: string) => string;
}

export function stream(response: ServerResponse, text: string, options: StreamOptions = {}): void {
  const { end = STOP, start = '', size = 40, piece = (content) => chunk({ content }) } = options;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(start);
  for (let at = 0; at < text.length; at += size) response.write(piece(text.slice(at, at + size)));
  response.end(end);
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  type = 'application/json',
): void {
  response.writeHead(status, { 'content-type': type });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

const completion = (content: unknown) => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 20 },
});

const THOUGHTS = 'The user wants a text. {"skills": []} I begin with a list:\n1. First.\n\nThen "the end".';

/** A service that changes the answer's text. */
const sends = (
  name: string,
  change: (text: string) => string,
  options: StreamOptions & { isWrapped?: boolean } = {},
): TextService => ({
  name,
  ...(options.isWrapped && { isWrapped: true }),
  reply: ({ response, text }) => stream(response, change(text), options),
});

/** A service that sends the text in an unusual form. */
const streams = (name: string, options: StreamOptions): TextService => sends(name, (text) => text, options);

const inTags = (open: string, close: string) => (text: string) => `${open}${THOUGHTS}${close}\n\n${text}`;
const harmony = (text: string) =>
  `<|channel|>analysis<|message|>${THOUGHTS}<|end|><|start|>assistant<|channel|>final<|message|>${text}<|return|>`;

/** Services whose answer is used. */
const served: TextService[] = [
  streams('sends events as OpenAI does', {}),

  sends('thinks in <think> (Ollama, vLLM without a reasoning parser)', inTags('<think>\n', '\n</think>')),
  sends('thinks in <think> in single characters (llama.cpp)', inTags('<think>', '</think>'), { size: 1 }),
  sends('thinks in <thinking> (prompted models)', inTags('<thinking>', '</thinking>')),
  sends('thinks in <reasoning> (LiteLLM)', inTags('<reasoning>', '</reasoning>')),
  sends('thinks in <thought> (Gemini)', inTags('<thought>', '</thought>')),
  sends('thinks in [THINK] (Mistral)', inTags('[THINK]', '[/THINK]')),
  sends('thinks in <seed:think> (Seed)', inTags('<seed:think>', '</seed:think>')),
  sends('thinks in ◁think▷ (Kimi)', inTags('◁think▷', '◁/think▷')),
  sends('thinks in <think> with attributes', inTags('<think type="long">', '</think>')),
  sends('thinks in <|begin_of_thought|> (OpenThinker, Sky-T1)', (text) =>
    inTags(
      '<|begin_of_thought|>\n\n',
      '\n\n<|end_of_thought|>',
    )(`<|begin_of_solution|>\n\n${text}\n\n<|end_of_solution|>`),
  ),
  sends('thinks in <mm:think> (MiniMax)', inTags('<mm:think>', '</mm:think>')),
  sends('thinks in <|channel>thought (Gemma 4)', inTags('<|channel>thought\n', '<channel|>')),
  sends('has no thoughts in <|channel>thought (Gemma 4)', (text) => `<|channel>thought\n<channel|>${text}`),
  sends('thinks in <unused94> (MedGemma)', inTags('<unused94>thought\n', '<unused95>')),
  sends(
    'thinks in <|START_THINKING|> (Command A)',
    (text) =>
      `<|START_THINKING|>${THOUGHTS}<|END_THINKING|><|START_RESPONSE|>${text}<|END_RESPONSE|><|END_OF_TURN_TOKEN|>`,
    { size: 3 },
  ),
  sends('thinks in <|inner_prefix|> (Apertus)', inTags('<|inner_prefix|>', '<|inner_suffix|>')),
  sends(
    'thinks, and answers in <answer> (Hunyuan)',
    (text) => `<think>\n${THOUGHTS}\n</think>\n<answer>\n${text}\n</answer>`,
    { size: 5 },
  ),
  sends(
    'thinks, and answers in <|begin_of_box|> (GLM-4.5V)',
    (text) => `<think>${THOUGHTS}</think><|begin_of_box|>${text}<|end_of_box|>`,
  ),
  sends(
    'sends a harmony commentary before its answer (gpt-oss)',
    (text) =>
      `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary<|message|>I begin.<|end|><|start|>assistant<|channel|>final<|message|>${text}<|return|>`,
  ),
  sends(
    'sends a harmony call without an answer of the tool (gpt-oss)',
    (text) =>
      `<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"q": "tea"}<|call|><|start|>assistant<|channel|>final<|message|>${text}`,
    { size: 2 },
  ),
  sends('agrees, and then thinks', (text) => `Sure!\n\n${inTags('<think>\n', '\n</think>')(text)}`, {
    isWrapped: true,
  }),
  sends('sends empty thoughts (Qwen with /no_think)', (text) => `<think>\n\n</think>\n\n${text}`),
  sends('thinks twice', (text) => inTags('<think>', '</think>')(inTags('<think>', '</think>')(text))),
  sends(
    'sends </think> alone (DeepSeek R1’s template)',
    (text) => `Okay, the user wants it.\n</think>\n\n${text}`,
  ),
  sends('sends </think> alone after other words', (text) => `${THOUGHTS.slice(9)}\n</think>\n\n${text}`),
  sends('sends harmony channels (gpt-oss in llama.cpp)', harmony),
  sends('sends harmony channels in single characters', harmony, { size: 1 }),
  sends(
    'sends harmony channels without their tokens (gpt-oss in vLLM)',
    (text) => `analysisWe need a text.assistantfinal${text}`,
  ),
  sends(
    'names a format in the final channel (gpt-oss with a schema)',
    (text) =>
      `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final <|constrain|>JSON<|message|>${text}`,
  ),
  streams('thinks in reasoning_content (DeepSeek, vLLM)', {
    start: chunk({ reasoning_content: THOUGHTS, content: null }),
  }),
  streams('thinks in reasoning (OpenRouter, Ollama)', { start: chunk({ reasoning: THOUGHTS, content: '' }) }),
  streams('thinks in thinking', { start: chunk({ thinking: THOUGHTS }) }),
  streams('thinks in reasoning_details alone (OpenRouter)', {
    start: chunk({ content: '', reasoning_details: [{ type: 'reasoning.text', text: THOUGHTS }] }),
  }),
  streams('thinks in a field and in tags (Qwen through a proxy)', {
    start: chunk({ reasoning_content: 'Hm.' }) + chunk({ content: `<thinking>${THOUGHTS}</thinking>\n\n` }),
  }),
  streams('sends content as a list (Mistral)', {
    start: chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: THOUGHTS }] }] }),
    piece: (text) => chunk({ content: [{ type: 'text', text }] }),
  }),
  streams('thinks in a text part', { start: chunk({ content: [{ type: 'reasoning', text: THOUGHTS }] }) }),

  sends('leaves <|im_end|> (LM Studio)', (text) => `${text}<|im_end|>`),
  sends('leaves <|eot_id|> in single characters (Llama 3)', (text) => `${text}<|eot_id|>`, { size: 1 }),
  sends('leaves </s> (Mistral in llama.cpp)', (text) => `${text}</s>`),
  sends('leaves <end_of_turn> (Gemma)', (text) => `${text}<end_of_turn>\n`),
  sends('leaves <｜end▁of▁sentence｜> (DeepSeek)', (text) => `${text}<｜end▁of▁sentence｜>`, { size: 1 }),

  streams('sends no finish_reason (Ollama’s proxies)', { end: DONE }),
  streams('sends an empty finish_reason', { end: chunk({}, '') + DONE }),
  streams('sends "null" as finish_reason (DashScope)', { end: chunk({}, 'null') + STOP }),
  streams('ends with end_turn (Anthropic)', { end: chunk({}, 'end_turn') + DONE }),
  streams('ends with STOP (Gemini)', { end: chunk({}, 'STOP') + DONE }),
  streams('ends with COMPLETE (Cohere)', { end: chunk({}, 'COMPLETE') + DONE }),
  streams('ends with eos_token (TGI)', { end: chunk({}, 'eos_token') }),
  streams('ends with FINISH_REASON_STOP', { end: chunk({}, 'FINISH_REASON_STOP') + DONE }),
  streams('ends with <|im_end|>', { end: chunk({}, '<|im_end|>') + DONE }),
  streams('ends with done', { end: chunk({}, 'done') + DONE }),
  streams('sends no [DONE]', { end: chunk({}, 'stop') }),
  streams('sends usage as text', {
    end:
      chunk({}, 'stop') +
      event({ choices: [], usage: { prompt_tokens: '9', completion_tokens: '3' } }) +
      DONE,
  }),
  streams('begins with the results of a filter (Azure)', {
    start: event({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }),
  }),
  streams('sends chunks without choices', { start: event({ choices: null }) + event(null) + event({}) }),
  streams('sends comments (OpenRouter)', { start: ': OPENROUTER PROCESSING\n\n: keep-alive\n\n' }),
  streams('sends CRLF and names of events', {
    piece: (content) => `event: message\r\n${chunk({ content }).replaceAll('\n', '\r\n')}`,
  }),
  streams('sends no space after data:', {
    piece: (content) => chunk({ content }).replace('data: ', 'data:'),
    end: 'data:[DONE]',
  }),
  streams('sends CR alone', {
    piece: (content) => chunk({ content }).replaceAll('\n', '\r'),
    end: STOP.replaceAll('\n', '\r'),
  }),
  streams('sends one line break after each event', {
    piece: (content) => chunk({ content }).trimEnd() + '\n',
    end: STOP.replaceAll('\n\n', '\n'),
  }),
  {
    name: 'sends one line break before [DONE]',
    reply: ({ response, text }) =>
      stream(response, text.slice(0, -9), {
        end: `${chunk({ content: text.slice(-9) }).trimEnd()}\n${DONE}`,
      }),
  },
  streams('sends U+2028 and U+2029 unescaped', {
    piece: (content) => event({ id: '\u2028\u2029', choices: [{ index: 0, delta: { content } }] }),
  }),
  streams('sends the whole text so far beside each piece (Perplexity)', {
    piece: (content) =>
      event({ choices: [{ index: 0, delta: { content }, message: { content: `So far: ${content}` } }] }),
  }),
  streams('begins with a role and null (OpenAI, vLLM)', {
    start: chunk({ role: 'assistant', content: null }, null) + chunk({ role: null, content: null }, ''),
  }),
  streams('sends usage with each piece (xAI, Perplexity)', {
    piece: (content) =>
      event({
        choices: [{ index: 0, delta: { content } }],
        usage: { prompt_tokens: 9, completion_tokens: 1 },
      }),
  }),
  streams('sends "data: data:" (proxies)', { piece: (content) => `data: ${chunk({ content })}` }),
  streams('begins with a byte order mark', { start: `\uFEFF${chunk({ role: 'assistant' })}` }),
  streams('sends event, id and retry, and [DONE] as JSON', {
    piece: (content) => `id: 1\nretry: 3000\nevent: completion\n${chunk({ content })}`,
    end: `${chunk({}, 'stop')}data: "[DONE]"\n\n`,
  }),
  streams('sends text in place of delta (completions)', {
    piece: (text) => event({ choices: [{ index: 0, text }] }),
  }),
  streams('sends content as a part', { piece: (text) => chunk({ content: { type: 'text', text } }) }),
  streams('sends parts whose text is in value or content', {
    piece: (text) =>
      chunk({
        content: [
          { type: 'text', text: { value: text.slice(0, 3) } },
          { type: 'text', content: text.slice(3) },
        ],
      }),
  }),
  streams('thinks in a part that says so (Gemini)', {
    start: chunk({ content: [{ text: THOUGHTS, thought: true }] }),
  }),
  streams('sends events without data, and empty errors (proxies)', {
    piece: (content) => `data: \n\n${event({ error: {}, choices: [{ index: 0, delta: { content } }] })}`,
  }),
  streams('sends message in place of delta', {
    piece: (content) => event({ choices: [{ index: 0, message: { content } }] }),
  }),

  {
    name: 'repeats the answer in message at the end (MiniMax)',
    reply: ({ response, text }) => stream(response, text, { end: event(completion(text)) + DONE }),
  },
  {
    name: 'repeats all text in each piece (DashScope without incremental_output)',
    reply: ({ response, text }) => {
      let before = '';
      stream(response, text, { piece: (piece) => chunk({ content: (before += piece) }) });
    },
  },
  {
    name: 'ignores stream: true (proxies)',
    reply: ({ response, text }) => json(response, 200, completion(text)),
  },
  {
    name: 'ignores stream: true, with a type of text',
    reply: ({ response, text }) =>
      json(response, 200, JSON.stringify(completion(text), null, 2), 'text/plain'),
  },
  {
    name: 'sends white space before JSON (OpenRouter, Cloudflare)',
    reply: ({ response, text }) => json(response, 200, `\n\n  \n${JSON.stringify(completion(text))}`),
  },
  {
    name: 'ignores stream: true, and thinks',
    reply: ({ response, text }) => json(response, 200, completion(inTags('<think>', '</think>')(text))),
  },

  {
    name: 'has no role system (Gemma in vLLM)',
    reply: ({ response, asked, text }) =>
      asked.messages.some(({ role }) => role === 'system')
        ? json(response, 400, {
            object: 'error',
            message: 'System role not supported',
            type: 'BadRequestError',
            code: 400,
          })
        : stream(response, text),
  },
  {
    name: 'wants the roles in turn (Gemma and Mistral in llama.cpp)',
    reply: ({ response, asked, text }) =>
      asked.messages.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))
        ? stream(response, text)
        : json(response, 500, {
            error: {
              code: 500,
              message: 'Conversation roles must alternate user/assistant/user/assistant/...',
              type: 'server_error',
            },
          }),
  },
  {
    name: 'refuses stream_options (Mistral)',
    reply: ({ response, asked, text }) =>
      asked.stream_options
        ? json(response, 422, {
            detail: [
              {
                type: 'extra_forbidden',
                loc: ['body', 'stream_options'],
                msg: 'Extra inputs are not permitted',
              },
            ],
          })
        : stream(response, text),
  },
  {
    name: 'refuses response_format (DeepSeek)',
    reply: ({ response, asked, text }) =>
      asked.response_format
        ? json(response, 400, {
            error: { message: 'This response_format type is unavailable now', type: 'invalid_request_error' },
          })
        : stream(response, text),
  },
  {
    name: 'refuses stream (OpenAI, an organization that is not verified)',
    reply: ({ response, asked, text }) =>
      asked.stream
        ? json(response, 400, {
            error: {
              message: 'Your organization must be verified to stream this model.',
              param: 'stream',
              code: 'unsupported_value',
            },
          })
        : json(response, 200, completion(text)),
  },
  {
    name: 'answers with the arguments of a function where JSON is wanted (LiteLLM)',
    reply: ({ response, asked, text }) =>
      asked.response_format
        ? stream(response, text, {
            piece: (part) => chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }),
            end: chunk({}, 'tool_calls') + DONE,
          })
        : stream(response, text),
  },
  {
    name: 'answers with an object where JSON is wanted (Cloudflare)',
    reply: ({ response, asked, text }) =>
      json(response, 200, completion(asked.response_format ? (JSON.parse(text) as object) : text)),
  },
  {
    name: 'reaches the maximum length once',
    reply: ({ response, asked, text }) => {
      const half = Math.ceil(text.length / 2);
      if (asked.messages.at(-1)?.content.includes(CONTINUE_PROMPT))
        stream(response, text.slice(Math.max(0, half - 40)));
      else stream(response, text.slice(0, half), { end: chunk({}, 'length') + DONE });
    },
  },
  streams('sends digits as numbers (Cloudflare)', {
    size: 1,
    piece: (text) => chunk({ content: /\d/.test(text) ? Number(text) : text }),
  }),

  sends('begins with a preface', (text) => `Sure! Here's the text you asked for:\n\n${text}`, {
    isWrapped: true,
  }),
  sends('begins with a preface in German', (text) => `Gerne! Hier ist der Text:\n\n${text}`, {
    isWrapped: true,
  }),
  sends('ends with a remark', (text) => `${text}\n\nLet me know if you'd like any changes!`, {
    isWrapped: true,
  }),
  sends('puts a fence around it', (text) => `\`\`\`\n${text}\n\`\`\``, { isWrapped: true }),
  sends('puts a fence around it, with a remark', (text) => `\`\`\`\n${text}\n\`\`\`\n\nI hope this helps!`, {
    isWrapped: true,
  }),
  sends(
    'puts a fence around it, with a preface and a remark',
    (text) =>
      `Certainly! Here is the text:\n\n\`\`\`markdown\n${text}\n\`\`\`\n\nI hope this helps! Feel free to ask for changes.`,
    { isWrapped: true },
  ),
];

/** A service whose stream ends like this. */
const ends = (name: string, message: RegExp, end: string, isRetried = false): TextService => ({
  name,
  message,
  isRetried,
  reply: ({ response, text }) => stream(response, text, { end }),
});

/** A service that refuses like this. */
const refuses = (
  name: string,
  status: number,
  body: unknown,
  message: RegExp,
  isRetried = false,
): TextService => ({
  name,
  message,
  isRetried,
  reply: ({ response }) => json(response, status, body),
});

const INCOMPLETE = /stopped before its answer was complete/;
const EMPTY = /empty answer/;
const TOO_LONG = /too long for the AI model\. Shorten it/;
const NO_CREDIT = /no credit left/;
const CONTENT_RULES = /refused this prompt under its content rules/;
const BUSY = /is busy/;

/** Services whose answer did not end well. */
const unfinished: TextService[] = [
  { ...sends('has thoughts alone', () => `<think>${THOUGHTS}`), message: EMPTY, isRetried: true },
  {
    ...sends('has thoughts alone, with an end', () => `<think>${THOUGHTS}</think>`),
    message: EMPTY,
    isRetried: true,
  },
  {
    name: 'has thoughts alone, in a field, up to the maximum length (vLLM)',
    reply: ({ response }) =>
      stream(response, '', {
        start: chunk({ reasoning_content: THOUGHTS }),
        end: chunk({}, 'length') + DONE,
      }),
    message: /maximum length before it began/,
    isRetried: true,
  },
  {
    ...sends('ends while it thinks again', (text) => `<think>Hm.</think>${text}\n<think>\nNow the end.`),
    message: INCOMPLETE,
    isRetried: true,
  },
  { ...sends('sends nothing', () => ''), message: EMPTY, isRetried: true },
  ends('ends with error (OpenRouter)', INCOMPLETE, chunk({}, 'error') + DONE, true),
  ends('lacks resources (DeepSeek)', INCOMPLETE, chunk({}, 'insufficient_system_resource') + DONE, true),
  ends('ends with abort (vLLM, SGLang)', INCOMPLETE, chunk({}, 'abort') + DONE, true),
  ends('ends with an abort in an object (SGLang)', INCOMPLETE, chunk({}, { type: 'abort' }) + DONE, true),
  ends(
    'ends with stop after its own service failed (OpenRouter)',
    INCOMPLETE,
    event({ choices: [{ delta: {}, finish_reason: 'stop', native_finish_reason: 'network_error' }] }) + DONE,
    true,
  ),
  ends('ends with network_error (GLM)', INCOMPLETE, chunk({}, 'network_error') + DONE, true),
  ends('ends with OTHER (Gemini)', INCOMPLETE, chunk({}, 'OTHER') + DONE, true),
  ends(
    'ends with malformed_function_call (Gemini)',
    INCOMPLETE,
    chunk({}, 'malformed_function_call') + DONE,
    true,
  ),
  ends('ends with ERROR_TOXIC (Cohere)', CONTENT_RULES, chunk({}, 'ERROR_TOXIC') + DONE),
  ends('ends with sensitive (GLM)', CONTENT_RULES, chunk({}, 'sensitive') + DONE),
  ends(
    'is overloaded after it began (Anthropic)',
    BUSY,
    `event: error\n${event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })}`,
    true,
  ),
  ends(
    'has errors in a list after it began (Cloudflare)',
    /The AI service failed/,
    event({ success: false, errors: [{ code: 3040, message: 'Capacity temporarily exceeded' }] }) + DONE,
    true,
  ),
  ends(
    'has error_msg after it began (Baidu)',
    /The AI service failed/,
    event({ error_code: 336100, error_msg: 'try again' }) + DONE,
    true,
  ),
  ends(
    'has an error in a line without a field after it began',
    /The AI service failed/,
    `${JSON.stringify({ error: { message: 'Upstream' } })}\n\n${DONE}`,
    true,
  ),
  refuses(
    'cannot read the form of its model (Groq)',
    400,
    { error: { message: 'Tool choice is none, but model called a tool', code: 'tool_use_failed' } },
    INCOMPLETE,
    true,
  ),
  ends(
    'is asked at a wrong address (LM Studio)',
    /check OPENAI_BASE_URL/,
    event({ error: 'Unexpected endpoint or method. (POST /chat/completions)' }),
  ),
  ends('ends without finish_reason and [DONE]', INCOMPLETE, '', true),
  {
    name: 'breaks the connection',
    message: INCOMPLETE,
    isRetried: true,
    reply: async ({ response, text }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      await new Promise((resolve) => response.write(chunk({ content: text }), resolve));
      response.destroy();
    },
  },
  {
    name: 'answers with a page (a wrong address)',
    message: /check OPENAI_BASE_URL/,
    reply: ({ response }) => json(response, 200, '<!doctype html><title>Login</title>', 'text/html'),
  },
  ends(
    'reaches the maximum length twice',
    /cannot write an answer of this length/,
    chunk({}, 'length') + DONE,
  ),
  ends(
    'fills the context window twice (Anthropic)',
    /cannot write an answer of this length/,
    chunk({}, 'model_context_window_exceeded') + DONE,
  ),
  ends('filters its answer (Azure)', CONTENT_RULES, chunk({}, 'content_filter') + DONE),
  ends(
    'filters its answer, with a reason (Gemini)',
    CONTENT_RULES,
    chunk({}, 'content_filter: PROHIBITED_CONTENT') + DONE,
  ),
  ends('filters its answer for safety (Vertex)', CONTENT_RULES, chunk({}, 'SAFETY') + DONE),
  ends('filters its answer (Vercel)', CONTENT_RULES, chunk({}, 'content-filter') + DONE),
  ends('filters its answer for safety (Gemini’s pictures)', CONTENT_RULES, chunk({}, 'IMAGE_SAFETY') + DONE),
  {
    name: 'refuses in a field (OpenAI)',
    message: CONTENT_RULES,
    reply: ({ response }) => stream(response, '', { start: chunk({ refusal: 'I cannot help with that.' }) }),
  },
  ends(
    'fails after it began (OpenRouter)',
    /The AI service failed/,
    event({
      choices: [{ delta: { content: '' }, finish_reason: 'error' }],
      error: { code: 502, message: 'Upstream' },
    }),
    true,
  ),
];

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

/** Services that say that a text is too long for the model. */
const tooLong: TextService[] = [
  refuses(
    'llama.cpp: too long',
    400,
    error('the request exceeds the available context size, try increasing it', {
      code: 400,
      type: 'exceed_context_size_error',
    }),
    TOO_LONG,
  ),
  {
    name: 'llama.cpp, older: too long, in a field of its own',
    message: TOO_LONG,
    reply: ({ response }) =>
      stream(response, '', {
        end: 'error: {"code":400,"message":"the request exceeds the available context size","type":"invalid_request_error"}\n\n',
      }),
  },
  ...[
    "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
    'The decoder prompt (length 9000) is longer than the maximum model length of 4096.',
  ].map((message) =>
    refuses(
      'vLLM: too long',
      400,
      { object: 'error', message, type: 'BadRequestError', code: 400 },
      TOO_LONG,
    ),
  ),
  {
    name: 'vLLM: too long, in the stream',
    message: TOO_LONG,
    reply: ({ response }) =>
      stream(response, '', {
        end:
          event({
            object: 'error',
            message: "This model's maximum context length is 4096 tokens.",
            code: 400,
          }) + DONE,
      }),
  },
  refuses(
    'SGLang: too long',
    400,
    {
      object: 'error',
      message: "The input (9000 tokens) is longer than the model's context length (4096 tokens).",
    },
    TOO_LONG,
  ),
  ...[
    'Input length (5000 tokens) exceeds the maximum allowed length (4096 tokens)',
    'Prompt length (5000) exceeds maximum input length (4096)',
    'Prompt length 5000 is greater than max_seq_len 4096',
  ].map((message) => refuses('SGLang and TensorRT-LLM: too long', 400, error(message), TOO_LONG)),
  refuses(
    'OpenAI: too long as text',
    400,
    error("Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576.", {
      code: 'string_above_max_length',
    }),
    TOO_LONG,
  ),
  refuses(
    'OpenAI: above the limit of a minute',
    429,
    error(
      'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 45000.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    TOO_LONG,
  ),
  refuses(
    'LM Studio: too long',
    400,
    {
      error:
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    },
    TOO_LONG,
  ),
  {
    name: 'LM Studio: too long, in the stream',
    message: TOO_LONG,
    reply: ({ response }) =>
      stream(response, '', {
        end: `event: error\n${event(error('Trying to keep the first 5000 tokens when context the overflows.'))}`,
      }),
  },
  refuses(
    'Anthropic: too long',
    400,
    {
      type: 'error',
      ...error('prompt is too long: 210000 tokens > 200000 maximum', { type: 'invalid_request_error' }),
    },
    TOO_LONG,
  ),
  refuses(
    'Anthropic: too long with its answer',
    400,
    error('input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000'),
    TOO_LONG,
  ),
  refuses(
    'Ollama: too long',
    400,
    error('prompt too long; exceeded max context length by 40 tokens'),
    TOO_LONG,
  ),
  refuses(
    'Mistral: too long',
    400,
    {
      object: 'error',
      message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_error',
    },
    TOO_LONG,
  ),
  refuses(
    'Gemini: too long',
    400,
    [
      error('The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).', {
        code: 400,
      }),
    ],
    TOO_LONG,
  ),
  refuses(
    'OpenAI and Azure: too long',
    400,
    error('Please reduce the length of the messages.', { code: 'context_length_exceeded' }),
    TOO_LONG,
  ),
  refuses(
    'xAI: too long',
    400,
    {
      code: 'invalid-argument',
      error: "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
    },
    TOO_LONG,
  ),
  refuses(
    'TGI and Together: too long',
    422,
    error('Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000', {
      type: 'validation',
    }),
    TOO_LONG,
  ),
  refuses('llama.cpp without context shift: too long', 500, error('context shift is disabled'), TOO_LONG),
  refuses(
    'LiteLLM: too long',
    400,
    error('litellm.ContextWindowExceededError: litellm.BadRequestError: too big', { code: '400' }),
    TOO_LONG,
  ),
  refuses(
    'watsonx: too long',
    400,
    { errors: [{ message: 'the number of input tokens 9000 cannot exceed the total tokens limit 8192' }] },
    TOO_LONG,
  ),
  refuses('Moonshot: too long', 400, error('Your request exceeded model token limit: 8192'), TOO_LONG),
  refuses(
    'Cohere: too long',
    400,
    { message: 'too many tokens: size limit exceeded by 3000 tokens.' },
    TOO_LONG,
  ),
  refuses('DashScope: too long', 400, error('Range of input length should be [1, 30720]'), TOO_LONG),
  refuses(
    'Groq: too long',
    413,
    error('Request too large for model `x` on tokens per minute (TPM)'),
    TOO_LONG,
  ),
  refuses(
    'OpenRouter: too long, in a 200',
    200,
    error("This endpoint's maximum context length is 8192 tokens."),
    TOO_LONG,
  ),
];

/** Services that refuse a request for another reason. */
const refused: TextService[] = [
  refuses(
    'Gemini: no quota, in a list',
    429,
    [
      error('You exceeded your current quota, please check your plan.', {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
      }),
    ],
    NO_CREDIT,
  ),
  refuses(
    'OpenAI: no quota',
    429,
    error('You exceeded your current quota', { code: 'insufficient_quota' }),
    NO_CREDIT,
  ),
  refuses('DeepSeek: no balance', 402, error('Insufficient Balance', { type: 'unknown_error' }), NO_CREDIT),
  refuses(
    'Gemini: a limit for a minute, called a quota',
    429,
    [
      error(
        'You exceeded your current quota, please check your plan and billing details. Quota exceeded for metric: free_tier_requests, limit: 15\nPlease retry in 34.074824224s.',
        { code: 429, status: 'RESOURCE_EXHAUSTED' },
      ),
    ],
    BUSY,
    true,
  ),
  refuses(
    'Groq: busy',
    429,
    error('Rate limit reached on tokens per minute (TPM): Limit 15000. Please try again in 5.289s.', {
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    BUSY,
    true,
  ),
  refuses(
    'Azure: busy',
    429,
    error('Your requests have exceeded the token rate limit of your tier. Please retry after 45 seconds.', {
      code: '429',
    }),
    BUSY,
    true,
  ),
  refuses('TGI: busy', 429, { error: 'Model is overloaded', error_type: 'overloaded' }, BUSY, true),
  refuses(
    'Moonshot: busy',
    429,
    error('The engine is currently overloaded, please try again later', { type: 'engine_overloaded_error' }),
    BUSY,
    true,
  ),
  refuses(
    'Bedrock through a gateway: busy',
    429,
    error('ThrottlingException: Too many tokens, please wait before trying again.'),
    BUSY,
    true,
  ),
  refuses(
    'MiniMax: busy, in a 200',
    200,
    { choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit' } },
    BUSY,
    true,
  ),
  refuses(
    'MiniMax: no balance, in a 200',
    200,
    { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
    NO_CREDIT,
  ),
  refuses(
    'Moonshot: no balance',
    429,
    error('Your account is suspended, please check your plan: insufficient balance', {
      type: 'exceeded_current_quota_error',
    }),
    NO_CREDIT,
  ),
  refuses(
    'OpenRouter: no credit',
    402,
    error('This request requires more credits, or fewer max_tokens.', { code: 402 }),
    NO_CREDIT,
  ),
  refuses('Anthropic: overloaded', 529, error('Overloaded', { type: 'overloaded_error' }), /failed/, true),
  refuses(
    'Cloudflare: no answer in time',
    524,
    '<!DOCTYPE html><title>524: A timeout occurred</title>',
    /failed/,
    true,
  ),
  refuses(
    'Hugging Face: loads the model',
    503,
    { error: 'Model x is currently loading', estimated_time: 20 },
    /failed/,
    true,
  ),
  refuses(
    'KoboldCpp: busy',
    503,
    { detail: { msg: 'Server is busy; please try again later.', type: 'service_unavailable' } },
    /failed/,
    true,
  ),
  refuses(
    'LM Studio: the model crashed',
    400,
    { error: 'The model has crashed without additional information. (Exit code: 18446744072635812000)' },
    /failed/,
    true,
  ),
  refuses('LM Studio: the model is unloaded', 400, { error: 'Model unloaded.' }, /failed/, true),
  refuses(
    'LM Studio: no model is loaded',
    404,
    error('No models loaded. Please load a model in the developer page.', { code: 'model_not_found' }),
    /AI_TEXT_MODEL/,
  ),
  refuses(
    'Ollama: the model’s program ended',
    500,
    error('llama runner process has terminated: exit status 2', { type: 'api_error' }),
    /failed/,
    true,
  ),
  refuses(
    'Azure: no such deployment',
    404,
    error('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' }),
    /AI_TEXT_MODEL/,
  ),
  refuses(
    'Azure: an unknown key',
    401,
    error('Access denied due to invalid subscription key.', { code: '401' }),
    /OPENAI_API_KEY/,
  ),
  refuses(
    'OpenRouter: no endpoint',
    404,
    error('No endpoints found matching your data policy.', { code: 404 }),
    /AI_TEXT_MODEL/,
  ),
  refuses(
    'Bedrock through a gateway: too long',
    400,
    error('Input is too long for requested model.'),
    TOO_LONG,
  ),
  refuses('DeepSeek: a prompt against its rules', 400, error('Content Exists Risk'), CONTENT_RULES),
  refuses(
    'xAI: a prompt against its rules',
    403,
    {
      code: 'permission-denied',
      error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO',
    },
    CONTENT_RULES,
  ),
  refuses(
    'DashScope: a prompt against its rules',
    400,
    error('Input data may contain inappropriate content.', { code: 'data_inspection_failed' }),
    CONTENT_RULES,
  ),
  refuses(
    'MiniMax: a prompt against its rules, in a 200',
    200,
    { choices: null, base_resp: { status_code: 1026, status_msg: 'input new_sensitive' } },
    CONTENT_RULES,
  ),
  refuses('vLLM: busy', 429, { detail: 'Too many requests' }, BUSY, true),
  refuses('OpenRouter: busy, in a 200', 200, error('Rate limited upstream', { code: 429 }), BUSY, true),
  refuses(
    'llama.cpp: loads the model',
    503,
    error('Loading model', { code: 503, type: 'unavailable_error' }),
    /failed/,
    true,
  ),
  refuses(
    'a proxy: no answer of the server',
    502,
    '<html><title>502 Bad Gateway</title></html>',
    /failed/,
    true,
  ),
  refuses('LiteLLM: an unknown key', 401, error('Authentication Error', { code: '401' }), /OPENAI_API_KEY/),
  refuses(
    'Gemini: an unknown key',
    400,
    [error('API key not valid. Please pass a valid API key.', { code: 400, status: 'INVALID_ARGUMENT' })],
    /OPENAI_API_KEY/,
  ),
  refuses(
    'xAI: an unknown key',
    400,
    { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***.' },
    /OPENAI_API_KEY/,
  ),
  refuses(
    'xAI: no credit',
    403,
    { code: 'permission', error: 'Your newly created team doesn’t have any credits yet.' },
    NO_CREDIT,
  ),
  refuses('Ollama: no such model', 404, error('model "x" not found, try pulling it first'), /AI_TEXT_MODEL/),
  refuses(
    'Azure: a prompt against its rules',
    400,
    error('The response was filtered due to the prompt triggering content management policy.', {
      code: 'content_filter',
    }),
    CONTENT_RULES,
  ),
];

export const textServices: TextService[] = [...served, ...unfinished, ...tooLong, ...refused];

/** A server that answers as one of the services, or as a test says. */
export interface TextServer {
  readonly url: string;
  asked: Asked[];
  reply: TextService['reply'];
  close: () => Promise<void>;
}

export async function startTextServer(): Promise<TextServer> {
  let text = '';
  const server: Server = createServer((request, response) => void answer(request, response));
  const state: TextServer = {
    url: '',
    asked: [],
    reply: ({ response, text }) => stream(response, text),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += String(piece);
    const asked = JSON.parse(body) as Asked;
    state.asked.push(asked);
    const [first] = asked.messages;
    // A repetition without the role system, and a continuation, have the answer of the request before.
    const isRepetition = first?.role !== 'system' || asked.messages.at(-1)?.content === CONTINUE_PROMPT;
    if (!isRepetition)
      text = answerInForm(asked.messages) ?? writeArticle(asked.messages.at(-1)!.content, 120);
    await state.reply({ response, asked, text });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, { url: `http://127.0.0.1:${port}/v1` });
}
