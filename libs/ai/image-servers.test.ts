import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { toJpegFiles } from '#libs/local-engine/images/jpeg.js';
import { readImageBody } from '../../test/provider/images.ts';
import { providerOf } from '../../test/provider/config.js';

interface ServerRules {
  model?: string;
  /** Fields besides model, prompt and files that the server accepts. Default: all. */
  accepts?: string[];
  /** Sizes that it has. Default: all. */
  sizes?: string[];
  /** The answer to a field or size that it does not accept. */
  refusal?: (field: string, value: string) => { status: number; body: object };
  /** True if it sends a URL on another server unless `response_format` is `b64_json`. */
  prefersUrl?: boolean;
  /** The form of its answers. Default: OpenAI's. */
  answer?: (png: Buffer, origin: string) => object | Buffer;
  /** What it answers at the endpoints for images, if pictures are only made in a chat. */
  chatOnly?: { status: number; body: object | string };
  /** Requests until a picture comes the first time, and the size that is sent then. */
  expected: { requests: number; size: string };
}

const invalid = (message: string, param: string | null = null, code: string | null = null) => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code } },
});

/** Servers as users of other products reported them. */
const servers: Record<string, ServerRules> = {
  'OpenAI, gpt-image-1': {
    model: 'gpt-image-1',
    accepts: ['n', 'size', 'stream', 'partial_images'],
    refusal: (field) => invalid(`Unknown parameter: '${field}'.`, field, 'unknown_parameter'),
    expected: { requests: 1, size: '1536x1024' },
  },
  'Azure, a deployment of gpt-image-1 under a name of its own': {
    model: 'pictures',
    accepts: ['n', 'size', 'stream', 'partial_images'],
    refusal: (field) => invalid(`Unknown parameter: '${field}'.`, field, 'unknown_parameter'),
    expected: { requests: 2, size: '1536x1024' },
  },
  'OpenAI, dall-e-3': {
    model: 'dall-e-3',
    accepts: ['n', 'size', 'response_format'],
    sizes: ['1024x1024', '1792x1024', '1024x1792'],
    prefersUrl: true,
    expected: { requests: 1, size: '1792x1024' },
  },
  'OpenAI, dall-e-2': {
    model: 'dall-e-2',
    accepts: ['n', 'size', 'response_format'],
    sizes: ['256x256', '512x512', '1024x1024'],
    prefersUrl: true,
    expected: { requests: 1, size: '1024x1024' },
  },
  'xAI: no size, one parameter named at a time': {
    model: 'grok-2-image',
    accepts: ['n', 'response_format'],
    refusal: (field) => ({
      status: 400,
      body: { code: 'Client specified an invalid argument', error: `Argument not supported: ${field}` },
    }),
    prefersUrl: true,
    expected: { requests: 3, size: '' },
  },
  'LiteLLM: the parameters in a list': {
    model: 'azure/flux',
    accepts: ['n', 'size', 'response_format'],
    refusal: () => ({
      status: 400,
      body: {
        error: {
          message:
            "litellm.UnsupportedParamsError: azure does not support parameters: ['stream', 'partial_images']",
          type: 'None',
          param: 'None',
          code: '400',
        },
      },
    }),
    prefersUrl: true,
    expected: { requests: 2, size: '1536x1024' },
  },
  'Together: sizes of its own, listed in the error': {
    model: 'black-forest-labs/FLUX.1-schnell',
    accepts: ['n', 'size', 'response_format', 'stream', 'partial_images'],
    sizes: ['1024x1024', '1440x960', '960x1440'],
    refusal: (_, value) =>
      invalid(`${value} is not one of ['1024x1024', '1440x960', '960x1440'] - 'size'`, null),
    prefersUrl: true,
    expected: { requests: 2, size: '1440x960' },
  },
  'LocalAI: streaming refused without a name': {
    model: 'stablediffusion',
    accepts: ['n', 'size', 'response_format'],
    refusal: () => ({
      status: 500,
      body: { error: { code: 500, message: 'json: unknown field "stream"', type: '' } },
    }),
    prefersUrl: true,
    expected: { requests: 2, size: '1536x1024' },
  },
  'a FastAPI server with a strict schema': {
    model: 'sdxl',
    accepts: ['size', 'response_format'],
    refusal: (field) => ({
      status: 422,
      body: {
        detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }],
      },
    }),
    prefersUrl: true,
    expected: { requests: 3, size: '1536x1024' },
  },
  'a server that knows every parameter, and streams nothing': {
    model: 'any',
    prefersUrl: true,
    expected: { requests: 1, size: '1536x1024' },
  },
  'Azure’s MAI models by LiteLLM: a size in other words': {
    model: 'MAI-Image-2.5',
    accepts: ['n', 'size', 'response_format'],
    sizes: [],
    refusal: (field) =>
      field === 'size'
        ? invalid(
            "Model does not support request parameter value supplied: 'width' must be at least 768 pixels.",
          )
        : invalid(`Unrecognized request argument supplied: ${field}`),
    expected: { requests: 3, size: '' },
  },
  'Gemini: every unknown name at once, in a list': {
    model: 'imagen-4.0',
    accepts: ['n', 'response_format'],
    refusal: () => ({
      status: 400,
      body: [
        {
          error: {
            code: 400,
            message:
              'Invalid JSON payload received. Unknown name "size": Cannot find field.\nInvalid JSON payload received. Unknown name "stream": Cannot find field.\nInvalid JSON payload received. Unknown name "partial_images": Cannot find field.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    }),
    expected: { requests: 2, size: '' },
  },
  'SiliconFlow: `images` with an address': {
    model: 'Kwai-Kolors/Kolors',
    answer: (_, origin) => ({ images: [{ url: `${origin}/1.png` }], timings: { inference: 1.2 }, seed: 1 }),
    expected: { requests: 1, size: '1536x1024' },
  },
  'an address without a host': {
    answer: () => ({ data: [{ url: '/generated-images/1.png' }] }),
    expected: { requests: 1, size: '1536x1024' },
  },
  'a data URL in `url`': {
    answer: (png) => ({ data: [{ url: `data:image/png;base64,${png.toString('base64')}`, b64_json: null }] }),
    expected: { requests: 1, size: '1536x1024' },
  },
  'Cloudflare’s gateway: `result.image`': {
    model: '@cf/black-forest-labs/flux-1-schnell',
    answer: (png) => ({ result: { image: png.toString('base64') }, success: true, errors: [], messages: [] }),
    expected: { requests: 1, size: '1536x1024' },
  },
  'SD.Next: texts in `images`': {
    model: 'sdxl',
    answer: (png) => ({ images: [png.toString('base64')], parameters: {}, info: '{}' }),
    expected: { requests: 1, size: '1536x1024' },
  },
  'Fireworks, vLLM-Omni: the bytes': {
    model: 'flux',
    answer: (png) => png,
    expected: { requests: 1, size: '1536x1024' },
  },
  'DeepInfra: `image_url`': {
    model: 'flux-1.1-pro',
    answer: (_, origin) => ({
      image_url: `${origin}/sample.jpeg`,
      inference_status: { cost: 0.04 },
      status: 'ok',
    }),
    expected: { requests: 1, size: '1536x1024' },
  },
  'OpenRouter: pictures of a chat, a page for other endpoints': {
    model: 'google/gemini-2.5-flash-image',
    chatOnly: {
      status: 404,
      body: '<!DOCTYPE html><html><head><title>Models | OpenRouter</title></head></html>',
    },
    answer: (png) => ({
      choices: [
        {
          finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: 'Here it is.',
            images: [
              { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 1290 },
    }),
    expected: { requests: 2, size: '1536x1024' },
  },
  'new-api: a picture in Markdown, no `image_config`': {
    model: 'gemini-3-pro-image',
    accepts: ['modalities'],
    chatOnly: {
      status: 500,
      body: {
        error: { message: 'not supported model for image generation, only imagen models are supported' },
      },
    },
    answer: (png) => ({
      choices: [{ message: { content: `Done.\n![image](data:image/png;base64,${png.toString('base64')})` } }],
    }),
    expected: { requests: 3, size: '' },
  },
  'a server that refuses without a reason': {
    model: 'curt',
    accepts: ['n', 'size'],
    refusal: () => invalid('Bad request'),
    expected: { requests: 3, size: '1536x1024' },
  },
};

interface ChatRequest {
  messages: { content: { type: string }[] }[];
  image_config?: { aspect_ratio: string };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function startServer(rules: ServerRules) {
  const seen: { fields: string[]; size: string; content?: { type: string }[] }[] = [];
  let made: Buffer;
  const server = createServer((request: IncomingMessage, response) => {
    void (async () => {
      if (request.method === 'GET') return response.writeHead(200).end(made);
      const isChat = request.url!.endsWith('/chat/completions');
      const chat = isChat && ((await new Response(await readAll(request)).json()) as ChatRequest);
      const body = chat
        ? { size: chat.image_config?.aspect_ratio === '3:2' ? '1536x1024' : '', fields: Object.keys(chat) }
        : (await readImageBody(request, request.url!.endsWith('edits')))!;
      const { size } = body;
      const known = ['model', 'prompt', 'image', 'mask', ...(chat ? ['messages', 'stream'] : [])];
      const optional = body.fields.filter((field) => !known.includes(field));
      seen.push({ fields: optional, size, ...(chat && { content: chat.messages[0]!.content }) });
      const answer = (status: number, content: object | string) =>
        Buffer.isBuffer(content)
          ? response.writeHead(status, { 'content-type': 'image/png' }).end(content)
          : response
              .writeHead(status, { 'content-type': 'application/json' })
              .end(typeof content === 'string' ? content : JSON.stringify(content));
      if (rules.chatOnly && !isChat) return answer(rules.chatOnly.status, rules.chatOnly.body);
      const unknown = optional.find((field) => rules.accepts && !rules.accepts.includes(field));
      const isOtherSize = size !== '' && rules.sizes && !rules.sizes.includes(size);
      const refused = unknown ?? (isOtherSize ? 'size' : undefined);
      if (refused) {
        const { status, body: json } = (rules.refusal ?? ((field) => invalid(`Unknown ${field}`, field)))(
          refused,
          size,
        );
        return answer(status, json);
      }
      if (rules.prefersUrl && !body.fields.includes('response_format'))
        return answer(200, { data: [{ url: 'https://images.example.com/1.png' }] });
      const [width = 1024, height = 1024] = size === '' ? [] : size.split('x').map(Number);
      const png = await sharp({ create: { width, height, channels: 3, background: '#456' } })
        .png()
        .toBuffer();
      made = png;
      const origin = `http://${request.headers.host}`;
      const openAi = { created: 1, data: [{ b64_json: png.toString('base64') }] };
      return answer(200, rules.answer?.(png, origin) ?? openAi);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, seen, close: () => new Promise((resolve) => server.close(resolve)) };
}

// A result has the shape that was asked, whatever size the server has.
describe.each(Object.entries(servers))('%s', (_, rules) => {
  it.each(['generate', 'edit'] as const)('%s', async (operation) => {
    const server = await startServer(rules);
    try {
      const provider = providerOf(server, { imageModel: rules.model ?? 'any' });
      const { signal } = new AbortController();
      const request = { prompt: 'A harbour', size: '1536x1024', onPartial: () => undefined } as const;
      const image = await sharp({ create: { width: 1536, height: 1024, channels: 3, background: '#456' } })
        .png()
        .toBuffer();
      const ask = () =>
        operation === 'edit'
          ? provider.editImage({ ...request, image }, signal)
          : provider.generateImage(request, signal);
      const { width, height } = await toJpegFiles(await ask(), request.size, signal);
      expect(width / height).toBeCloseTo(1.5, 2);
      expect(server.seen).toHaveLength(rules.expected.requests);
      expect(server.seen.at(-1)?.size).toBe(rules.expected.size);
      const types = rules.chatOnly && [...['text'], ...(operation === 'edit' ? ['image_url'] : [])];
      expect(server.seen.at(-1)?.content?.map(({ type }) => type)).toEqual(types);
      await ask();
      // What was refused is remembered.
      expect(server.seen).toHaveLength(rules.expected.requests + 1);
    } finally {
      await server.close();
    }
  });
});
