import { describe, expect, it } from '@jest/globals';
import { startErrorServer } from '../../test/support/error-server.ts';
import { configOf, providerOf } from '../../test/provider/config.js';
import { findImageSupport } from './find-image-support.js';
import type { ImageOperation } from '#libs/contract/engine.js';
import type { Config } from '#libs/config/environment.js';

type Answer = [service: string, status: number, body: string | object];

const error = (message: string, fields: object = {}) => ({ error: { message, ...fields } });

/** Services without an endpoint for pictures. */
const withoutEndpoint: Answer[] = [
  ['Ollama, llama.cpp', 404, '404 page not found'],
  ['vLLM', 404, { detail: 'Not Found' }],
  [
    'Groq',
    404,
    error('Unknown request URL: POST /openai/v1/images/edits. Please check the URL for typos', {
      code: 'unknown_url',
    }),
  ],
  ['LM Studio', 200, { error: 'Unexpected endpoint or method. (POST /v1/images/edits)' }],
  ['Mistral', 404, { message: 'no Route matched with those values' }],
  ['DeepSeek', 404, ''],
  ['Express', 404, '<!DOCTYPE html><html><body><pre>Cannot POST /v1/images/edits</pre></body></html>'],
  ['FastAPI, another method', 405, { detail: 'Method Not Allowed' }],
  ['a server of pages', 200, '<!doctype html><html><head><title>Chat with every model</title></head></html>'],
  ['LocalAI', 501, error('Not implemented')],
  ['Azure', 404, error('Resource not found', { code: '404' })],
];

/** Services whose model makes no pictures. */
const withoutModel: Answer[] = [
  [
    'OpenAI, dall-e-3 edits',
    400,
    error("Invalid value: 'dall-e-3'. Value must be 'dall-e-2'.", {
      param: 'model',
      type: 'invalid_request_error',
    }),
  ],
  ['LiteLLM', 400, error('litellm.BadRequestError: The model does not support image generation')],
  [
    'xAI',
    400,
    { code: 'Client specified an invalid argument', error: 'Image edits are not supported by grok-2-image' },
  ],
  ['Together', 400, error('This model is not an image generation model')],
  ['Azure, FLUX.1-Kontext', 400, error("Unknown parameter: 'mask'.", { param: 'mask' })],
  ['Fireworks', 400, error('Model does not support images')],
  ['LocalAI', 500, error('rpc error: code = Unimplemented desc = method not implemented')],
];

/** Services that answer without a picture. */
const withoutPicture: Answer[] = [
  ['DashScope, a task', 200, { output: { task_id: '1', task_status: 'PENDING' }, request_id: '2' }],
  [
    'CLIProxyAPI',
    400,
    error('Model gemini-3.1-flash-image is not supported on /v1/images/generations or /v1/images/edits.'),
  ],
  ['xAI edits, which takes JSON', 415, error('Expected request with `Content-Type: application/json`')],
];

const unknownModels: Answer[] = [
  ['OpenAI', 404, error('The model `gpt-image-1` does not exist', { code: 'model_not_found' })],
  ['Ollama', 404, error('model "gpt-image-1" not found, try pulling it first', { type: 'api_error' })],
  [
    'LiteLLM',
    400,
    error('Invalid model name passed in model=gpt-image-1. Call `/v1/models` to view available models'),
  ],
  [
    'Azure',
    404,
    error('The API deployment for this resource does not exist', { code: 'DeploymentNotFound' }),
  ],
  ['Together', 400, error('Unable to access model gpt-image-1.', { code: 'model_not_available' })],
  ['LocalAI', 500, error('could not load model: rpc error: code = Canceled desc = ')],
];

/** Errors after which the service may make the next picture. */
const others: Answer[] = [
  ['a key without access', 403, error('Your organization must be verified to use the model `gpt-image-1`')],
  [
    'an image of another format',
    400,
    error('Invalid image file: this endpoint does not support images of type webp'),
  ],
  ['a refused prompt', 400, error('Image generation of public figures is not allowed by our content policy')],
  ['a refused prompt, flagged', 403, error('The prompt was flagged', { code: 'moderation_blocked' })],
  ['a refused parameter', 400, error("Unknown parameter: 'stream'", { param: 'stream' })],
  ['a busy server', 503, error('Loading model')],
  ['out of memory, with status 200', 200, { error: { message: 'CUDA out of memory' } }],
  ['a proxy', 502, '<html><head><title>502 Bad Gateway</title></head></html>'],
];

async function scopeOf([, status, body]: Answer, operation: ImageOperation, isDefaultImageModel: boolean) {
  const server = await startErrorServer(status, typeof body === 'string' ? body : JSON.stringify(body));
  const provider = providerOf({ url: server.address }, { isDefaultImageModel });
  const { signal } = new AbortController();
  const request = { prompt: 'A harbour', size: '1024x1024', image: Buffer.from('image') } as const;
  const call =
    operation === 'edit' ? provider.editImage(request, signal) : provider.generateImage(request, signal);
  const failure = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  await server.close();
  return failure;
}

describe.each(['generate', 'edit'] as const)('%s', (operation) => {
  it.each([...withoutEndpoint, ...withoutModel, ...withoutPicture])('%s: lacks it', async (...answer) => {
    for (const isDefault of [true, false])
      expect(await scopeOf(answer, operation, isDefault)).toMatchObject({
        ...{ scope: 'unsupported', retryable: false },
        message: expect.stringContaining(`cannot ${operation === 'edit' ? 'change' : 'make'} pictures`),
      });
  });

  it.each(unknownModels)('%s: does not know our default model', async (...answer) => {
    expect(await scopeOf(answer, operation, true)).toMatchObject({ scope: 'unsupported' });
    expect(await scopeOf(answer, operation, false)).not.toMatchObject({ scope: 'unsupported' });
  });

  it.each(others)('%s: may make the next picture', async (...answer) => {
    expect(await scopeOf(answer, operation, true)).not.toMatchObject({ scope: 'unsupported' });
  });
});

it('a chat that answers with a text alone makes no pictures', async () => {
  const answers = [
    JSON.stringify({ choices: [{ message: { content: 'I am a model of text.' } }] }),
    'data: {}\n\n',
  ];
  for (const body of answers) {
    const server = await startErrorServer((path) => (path.endsWith('/chat/completions') ? 200 : 404), body);
    const provider = providerOf({ url: server.address });
    const request = { prompt: 'A harbour', size: '1024x1024' } as const;
    await expect(provider.generateImage(request, new AbortController().signal)).rejects.toMatchObject({
      scope: 'unsupported',
    });
    await server.close();
  }
});

describe('at the start', () => {
  async function lackingAt(answers: Answer[], queues = ['image'], isDefaultImageModel = true) {
    const servers = await Promise.all(
      answers.map(([, status, body]) =>
        startErrorServer(status, typeof body === 'string' ? body : JSON.stringify(body)),
      ),
    );
    const [main, fallback = null] = servers.map(({ address }) =>
      configOf({ url: address }, { isDefaultImageModel }),
    );
    let lacking: readonly ImageOperation[] | null = null;
    const support = {
      replace: (found: readonly ImageOperation[]) => Promise.resolve(void (lacking = found)),
    };
    await findImageSupport({ ai: { main, fallback }, worker: { queues } } as Config, support);
    await Promise.all(servers.map((server) => server.close()));
    return lacking;
  }

  it.each(withoutEndpoint)('%s: has no endpoints', async (...answer) => {
    expect(await lackingAt([answer])).toEqual(['generate', 'edit']);
  });

  it('an unknown model, an error and a fallback that has them say nothing', async () => {
    for (const answer of [...unknownModels, ...others]) expect(await lackingAt([answer])).toEqual([]);
    const text = withoutEndpoint[0]!;
    expect(await lackingAt([text, ['a fallback', 400, error('prompt is required')]])).toEqual([]);
    expect(await lackingAt([text, text])).toEqual(['generate', 'edit']);
  });

  it('only workers for images ask, and not for a model of the operator, which a chat may have', async () => {
    expect(await lackingAt([withoutEndpoint[0]!], ['text'])).toBeNull();
    expect(await lackingAt([withoutEndpoint[0]!], ['image'], false)).toEqual([]);
  });
});
