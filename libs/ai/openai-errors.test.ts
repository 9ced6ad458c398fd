import { describe, expect, it } from '@jest/globals';
import { APIError } from 'openai';
import { fetchWithReadableErrors } from './error-body.js';
import { isRefusedParameter, toEngineError } from './openai-errors.js';
import { startErrorServer } from '../../test/support/error-server.ts';

/** Error bodies as services send them, in the form that users reported. */
const declined: [service: string, status: number, body: unknown][] = [
  [
    'OpenAI, gpt-image-1',
    400,
    {
      error: {
        message:
          'Your request was rejected as a result of our safety system. Your request may contain content that is not allowed by our safety system.',
        type: 'user_error',
        param: null,
        code: 'moderation_blocked',
      },
    },
  ],
  [
    'OpenAI, dall-e-3',
    400,
    {
      error: {
        code: 'content_policy_violation',
        message: 'This request has been blocked by our content filters.',
        param: null,
        type: 'invalid_request_error',
      },
    },
  ],
  [
    'Azure OpenAI, text',
    400,
    {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
        innererror: {
          code: 'ResponsibleAIPolicyViolation',
          content_filter_result: { violence: { filtered: true } },
        },
      },
    },
  ],
  [
    'Azure OpenAI, pictures',
    400,
    { error: { code: 'contentFilter', message: 'Your task failed as a result of our safety system.' } },
  ],
  [
    'xAI, pictures',
    400,
    {
      code: 'Client specified an invalid argument',
      error: 'Generated image rejected by content moderation.',
    },
  ],
  [
    'xAI, text',
    403,
    {
      code: 'The caller does not have permission to execute the specified operation',
      error:
        'Content violates usage guidelines. Team: 1, API key ID: 2, Model: grok-4, Failed check: SAFETY_CHECK_TYPE_BIO',
    },
  ],
  [
    'OpenRouter',
    403,
    {
      error: {
        message: 'Input was flagged',
        code: 403,
        metadata: {
          reasons: ['violence'],
          flagged_input: 'a fight',
          provider_name: 'OpenAI',
          model_slug: 'gpt-image-1',
        },
      },
    },
  ],
  [
    'LiteLLM',
    400,
    {
      error: {
        message:
          'litellm.BadRequestError: litellm.ContentPolicyViolationError: AzureException - The prompt was filtered',
        type: null,
        param: null,
        code: '400',
      },
    },
  ],
  [
    'Gemini',
    400,
    [
      {
        error: {
          code: 400,
          message:
            "Unable to show generated images. All images were filtered out because they violated Google's Responsible AI practices.",
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
  ],
  [
    'Together',
    422,
    {
      id: 'oF1',
      error: {
        message: 'NSFW content detected in image.',
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    },
  ],
  [
    'DeepSeek',
    400,
    {
      error: {
        message: 'Content Exists Risk',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_request_error',
      },
    },
  ],
  [
    'DashScope',
    400,
    {
      error: {
        code: 'data_inspection_failed',
        message: 'Output data may contain inappropriate content.',
        type: 'data_inspection_failed',
      },
    },
  ],
  ['Zhipu', 400, { error: { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' } }],
  [
    'Stability',
    403,
    {
      id: '3',
      name: 'content_moderation',
      errors: ['Your request was flagged by our content moderation system.'],
    },
  ],
  [
    'fal',
    422,
    {
      detail: [
        { loc: ['body', 'prompt'], msg: 'The content was flagged.', type: 'content_policy_violation' },
      ],
    },
  ],
  [
    'Ark',
    400,
    {
      error: {
        code: 'OutputImageSensitiveContentDetected',
        message: 'The request failed because the output image may contain sensitive information.',
      },
    },
  ],
  ['new-api', 400, { error: { message: 'user sensitive words detected', code: 'sensitive_words_detected' } }],
];

/** OpenRouter's error of a service behind it. */
const behindOpenRouter = (code: number, raw: unknown) => ({
  error: { message: 'Provider returned error', code, metadata: { raw, provider_name: 'A', is_byok: false } },
});

/** Errors that are about something else. */
const others: [service: string, status: number, body: unknown, message: RegExp][] = [
  [
    'a key without access',
    403,
    { error: { message: 'Project does not have access to model gpt-image-1' } },
    /our key/,
  ],
  ['a key without access, as text', 403, 'Forbidden', /our key/],
  ['an unknown key', 401, { error: 'Incorrect API key provided: sk-1***9' }, /refused our key/],
  [
    'an unknown model',
    404,
    { error: { message: "model 'gpt-image-1' not found", type: 'api_error' } },
    /AI_IMAGE_MODEL/,
  ],
  ['no credit', 402, { error: { message: 'Insufficient credits', code: 402 } }, /no credit/],
  [
    'xAI without credit',
    403,
    { code: 'forbidden', error: 'Your team has used all available credits or reached its monthly limit.' },
    /no credit/,
  ],
  [
    'Anthropic without credit',
    400,
    {
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' },
    },
    /no credit/,
  ],
  ['LM Studio', 400, { error: 'Cannot truncate prompt with n_keep (9000) >= n_ctx (4096)' }, /too long/],
  ['vLLM', 400, { message: 'max_tokens must be at least 1, got -904.', code: 400 }, /too long/],
  [
    'a limit of Gemini for a minute',
    429,
    [
      {
        error: {
          code: 429,
          message: 'You exceeded your current quota, please check your plan and billing details.',
          status: 'RESOURCE_EXHAUSTED',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }],
        },
      },
    ],
    /is busy/,
  ],
  [
    'Anthropic behind OpenRouter',
    400,
    behindOpenRouter(
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 217779 tokens > 200000 maximum"}}',
    ),
    /too long/,
  ],
  [
    'a busy service behind OpenRouter',
    429,
    behindOpenRouter(429, 'a/b is temporarily rate-limited upstream. Please retry shortly.'),
    /is busy/,
  ],
  [
    'SiliconFlow',
    400,
    { code: 20015, message: 'length of prompt_tokens (50000) must be less than max_seq_len (32768).' },
    /too long/,
  ],
  [
    'llama.cpp with a small batch',
    500,
    {
      error: {
        code: 500,
        message:
          'input (948 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
        type: 'server_error',
      },
    },
    /too long/,
  ],
  [
    'llama.cpp with a small cache',
    500,
    { error: { code: 500, message: 'Input prompt is too big compared to KV size.', type: 'server_error' } },
    /too long/,
  ],
  [
    'NVIDIA, of which one function is down',
    400,
    { status: 400, title: 'Bad Request', detail: "Function id '1': DEGRADED function cannot be invoked" },
    /failed\. Try again/,
  ],
  ['LM Studio after a crash', 400, { error: 'Channel Error' }, /failed\. Try again/],
  [
    'Groq at its limit for a day',
    429,
    {
      error: {
        message:
          'Rate limit reached on tokens per day (TPD): Limit 100000, Used 99336. Please try again in 13m54.624s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing',
        code: 'rate_limit_exceeded',
      },
    },
    /is busy/,
  ],
  ['an unknown size', 400, { error: { message: 'Invalid value: size', param: 'size' } }, /did not accept/],
  ['too many requests', 429, [{ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }], /is busy/],
  ['a page of a proxy', 502, '<html>Bad gateway</html>', /failed\. Try again/],
];

/** Errors after which another service may help, and the user cannot. */
const ofAccount: [service: string, status: number, body: unknown, message: RegExp][] = [
  [
    'DashScope in arrears',
    400,
    {
      error: {
        code: 'Arrearage',
        message: 'Access denied, please make sure your account is in good standing.',
      },
    },
    /no credit/,
  ],
  [
    'Fireworks, suspended',
    412,
    { error: { message: 'Account jo is suspended, possibly due to reaching the monthly spending limit.' } },
    /no credit/,
  ],
  [
    'Moonshot, suspended',
    429,
    {
      error: { message: 'Your account org-1 is suspended, please check your plan and billing details' },
    },
    /no credit/,
  ],
  [
    'GLM without credit',
    429,
    { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } },
    /no credit/,
  ],
  [
    'LiteLLM over its budget',
    400,
    { error: { message: 'Budget has been exceeded! Current cost: 10.01, Max budget: 10.0' } },
    /no credit/,
  ],
  [
    'Anthropic at its limit',
    400,
    { error: { message: 'You have reached your specified API usage limits. You will regain access soon.' } },
    /no credit/,
  ],
  ['DeepSeek', 400, { error: { message: 'Model Not Exist', code: 'invalid_request_error' } }, /the model/],
  ['GLM', 400, { error: { code: '1211', message: '模型不存在，请检查模型代码。' } }, /the model/],
  [
    'Groq',
    400,
    { error: { message: 'The model `a-70b` has been decommissioned and is no longer supported.' } },
    /the model/,
  ],
  [
    'Hugging Face',
    400,
    { error: { message: "The requested model 'a/b' is not supported by any provider you have enabled." } },
    /the model/,
  ],
  ['OpenRouter', 400, { error: { message: 'a/b is not a valid model ID', code: 400 } }, /the model/],
  ['Mistral', 400, { object: 'error', message: 'Invalid model: a-1', type: 'invalid_model' }, /the model/],
  [
    'Perplexity',
    400,
    { error: { message: "Invalid model 'a-1'. Permitted models can be found in the documentation." } },
    /the model/,
  ],
  [
    'LiteLLM',
    400,
    { error: { message: '/chat/completions: Invalid model name passed in model=a-1.' } },
    /the model/,
  ],
  ['Bedrock', 400, { message: 'The provided model identifier is invalid.' }, /the model/],
  ['LM Studio', 400, { error: 'No models loaded. Please load a model in the developer page.' }, /the model/],
  [
    'Gemini',
    400,
    [{ error: { code: 400, message: 'User location is not supported for the API use.' } }],
    /the country/,
  ],
  [
    'a country behind OpenRouter',
    400,
    behindOpenRouter(400, {
      error: { code: 400, message: 'User location is not supported for the API use.' },
    }),
    /the country/,
  ],
  [
    'OpenRouter with a key at its limit',
    403,
    { error: { message: 'Key limit exceeded (total limit).' } },
    /no credit/,
  ],
  [
    'OpenRouter without credit, after 50 calls',
    429,
    { error: { message: 'Rate limit exceeded: free-models-per-day. Add 10 credits', code: 429 } },
    /no credit/,
  ],
  [
    'Gemini, prepaid',
    429,
    [
      {
        error: { code: 429, message: 'Your prepayment credits are depleted.', status: 'RESOURCE_EXHAUSTED' },
      },
    ],
    /no credit/,
  ],
  [
    'Gemini at its cap',
    429,
    [{ error: { code: 429, message: 'Your project has exceeded its monthly spending cap.' } }],
    /no credit/,
  ],
  [
    'OpenAI at its hard limit',
    400,
    { error: { message: 'Billing hard limit has been reached', code: 'billing_hard_limit_reached' } },
    /no credit/,
  ],
  [
    'GLM with a subscription',
    429,
    { error: { code: '1308', message: 'Usage limit reached for 5 hour. Your limit will reset at 10:00' } },
    /no credit/,
  ],
  ['SiliconFlow', 403, { code: 30001, message: 'Sorry, your account balance is insufficient' }, /no credit/],
  [
    'Ark',
    403,
    { error: { code: 'AccountOverdueError', message: 'Your account has an overdue balance.' } },
    /no credit/,
  ],
  [
    'one-api',
    403,
    { error: { message: 'user quota is not enough', code: 'insufficient_user_quota' } },
    /no credit/,
  ],
  ['new-api', 401, { error: { message: '该令牌额度已用尽', type: 'new_api_error' } }, /no credit/],
  [
    'Groq, restricted',
    400,
    { error: { message: 'Organization has been restricted.', code: 'organization_restricted' } },
    /no credit/,
  ],
  [
    'Groq without consent to terms',
    400,
    { error: { message: 'The model `a` requires terms acceptance.', code: 'model_terms_required' } },
    /the model/,
  ],
  ['Ollama', 400, { error: { message: '"nomic-embed-text" does not support chat' } }, /the model/],
  ['llama.cpp', 400, { error: { code: 400, message: "model 'a-1' not found" } }, /the model/],
  [
    'LM Studio without memory',
    400,
    {
      error:
        'Failed to load model "a-1". Error: Model loading was stopped due to insufficient system resources.',
    },
    /cannot run it/,
  ],
  [
    'LM Studio with two models',
    400,
    { error: { message: 'Multiple models are loaded. Please specify a model.' } },
    /the model/,
  ],
  [
    'Together',
    400,
    { error: { message: 'Unable to access non-serverless model a-1.', code: 'model_not_available' } },
    /the model/,
  ],
  ['GitHub', 400, { error: { code: 'unavailable_model', message: 'Unavailable model: a-1' } }, /the model/],
  [
    'Bedrock without a profile',
    400,
    { message: 'Invocation of model ID a-1 with on-demand throughput isn’t supported.' },
    /the model/,
  ],
  [
    'vLLM without a template',
    400,
    {
      object: 'error',
      message: 'Default chat template is no longer allowed, so you must provide a chat template.',
    },
    /the model/,
  ],
  [
    'NVIDIA, of the past',
    410,
    { title: 'Gone', status: 410, detail: "The model 'a-1' has reached its end of life." },
    /AI_IMAGE_MODEL/,
  ],
  ['a wrong address', 405, '<html><title>405 Not Allowed</title></html>', /was not found/],
];

/** Refused parameters, which are left out. */
const parameters = [
  "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
  'This model does not support response_format.',
  'The model `a-70b` does not support `json_schema`.',
  'Invalid model parameter: response_format',
  'response_format is not supported by model a-1',
  'This model does not support chat template arguments.',
  "litellm.UnsupportedParamsError: bedrock does not support parameters: ['response_format'], for model=a-1.",
  'Provider returned error: Request param: response_format is invalid, recommended val is: must be text or json_object',
  'Invalid schema: the length of a name exceeds 64 characters.',
];

/** The error as the `openai` package reads it. */
async function errorOf(status: number, body: unknown) {
  const server = await startErrorServer(status, typeof body === 'string' ? body : JSON.stringify(body));
  try {
    const response = await fetchWithReadableErrors(server.address);
    const json = (await response.json()) as object;
    const error = APIError.generate(response.status, json, undefined, response.headers);
    return toEngineError(error, { apiKey: 'sk-test', answering: false, kind: 'image' });
  } finally {
    await server.close();
  }
}

describe('an error of a service', () => {
  it.each(declined)('%s: says that the prompt was refused', async (_, status, body) => {
    const error = await errorOf(status, body);
    expect(error.message).toBe(
      'The AI service refused this prompt under its content rules. Word it differently and try again.',
    );
    expect(error).toMatchObject({ retryable: false, scope: 'request' });
  });

  it.each(others)('%s: is not taken for a refused prompt', async (_, status, body, message) => {
    expect((await errorOf(status, body)).message).toMatch(message);
  });
});

describe('an error that the user cannot change', () => {
  it.each(ofAccount)(
    '%s: is left to the operator and to the second service',
    async (_, status, body, message) => {
      const error = await errorOf(status, body);
      expect(error.message).toMatch(message);
      expect(error).toMatchObject({ retryable: false, scope: 'account' });
    },
  );

  it.each(parameters)('is not seen in “%s”', async (message) => {
    const error = new APIError(400, { message }, message, new Headers());
    expect(isRefusedParameter(error)).toBe(true);
  });
});

describe('the time to wait', () => {
  const toWait = (message: string, headers?: Record<string, string>) =>
    toEngineError(new APIError(429, { message }, message, new Headers(headers)), {
      apiKey: 'key',
      answering: false,
    }).retryAfterMs;

  it('is read from the message if no header has it', () => {
    expect(toWait('Please try again in 5.289s. Visit the console.')).toBe(5289);
    expect(toWait('Please try again in 7m12s.')).toBe(432_000);
    expect(toWait('Please retry after 45 seconds.')).toBe(45_000);
    expect(toWait('Please try again in 120ms.')).toBe(120);
    expect(toWait('Please retry after 45 seconds.', { 'retry-after': '3' })).toBe(3000);
    expect(toWait('Please try again in a few minutes.')).toBeUndefined();
  });

  it('tells a limit for a minute from a quota that is used up', () => {
    const error = (message: string) =>
      toEngineError(new APIError(429, { message }, message, new Headers()), {
        apiKey: 'key',
        answering: false,
      });
    expect(error('You exceeded your current quota. Please retry in 34.07s.').retryable).toBe(true);
    expect(error('You exceeded your current quota. Please retry in 720m0s.').retryable).toBe(false);
    expect(error('You exceeded your current quota.').retryable).toBe(false);
  });
});
