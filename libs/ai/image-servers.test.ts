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
  'a server that refuses without a reason': {
    model: 'curt',
    accepts: ['n', 'size'],
    refusal: () => invalid('Bad request'),
    expected: { requests: 3, size: '1536x1024' },
  },
};

async function startServer(rules: ServerRules) {
  const seen: { fields: string[]; size: string }[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    void (async () => {
      const body = (await readImageBody(request, request.url!.endsWith('edits')))!;
      const { size } = body;
      const optional = body.fields.filter((field) => !['model', 'prompt', 'image', 'mask'].includes(field));
      seen.push({ fields: optional, size });
      const answer = (status: number, json: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
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
      return answer(200, { created: 1, data: [{ b64_json: png.toString('base64') }] });
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
      await ask();
      // What was refused is remembered.
      expect(server.seen).toHaveLength(rules.expected.requests + 1);
    } finally {
      await server.close();
    }
  });
});
