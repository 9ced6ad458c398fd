import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import type { Account } from '#libs/contract/account.js';
import type { PublicConfig } from '#libs/contract/config.js';
import { errorStatus, type ErrorCode } from '#libs/contract/errors.js';
import { toolNames, tools } from '#libs/tools/catalogue.js';

interface ApiRequest {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

type Body = Record<string, unknown>;
type Answer = Body | Response | ((request: ApiRequest) => Body | Response | Promise<Response>);

const account: Account = {
  plan: 'free',
  role: 'person',
  credits: { allowance: 30, used: 4, remaining: 26, renewsAt: '2026-12-01T00:00:00.000Z' },
  storage: { used: 12_000_000, limit: 104_857_600 },
  profile: { id: 'user-1', fullName: 'Ada Brandt', email: 'ada@example.com', imageUrl: null },
};

export const config: PublicConfig = {
  accounts: {
    provider: 'local',
    publishableKey: null,
    proxyUrl: null,
    mail: false,
    passkeys: true,
    twoFactorFor: 'nobody',
    apps: [],
    planSwitch: true,
    payment: null,
  },
  engine: 'offline',
  plans: { free: { monthlyCredits: 30 }, premium: { price: { amount: 12, currency: 'USD' } } },
  limits: { pdfBytes: 5_000_000, imageBytes: 10_000_000, unfinishedJobs: 5 },
  tools: toolNames.map((name) => {
    const { title, plan, credits } = tools[name];
    return { name, title, plan, credits, engine: 'offline' };
  }),
  objectsByName: true,
  changesImages: false,
  publishing: 'open',
  demoVideoUrl: null,
};

/**
 * Answers the API calls of each test of a file. A call without an answer fails the test.
 * `api.on('DELETE /api/jobs/:id', …)` sets an answer, and `api.requests` lists the calls.
 */
export function stubApi() {
  const answers = new Map<string, Answer>();
  const requests: ApiRequest[] = [];
  const unhandled: string[] = [];
  beforeEach(() => {
    answers.clear();
    requests.length = 0;
    unhandled.length = 0;
    answers.set('GET /api/user/account', account).set('GET /api/config', config);
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, options = {}) => {
      if (typeof url !== 'string') throw new TypeError('The client calls the API by paths.');
      const { method = 'GET', body } = options;
      const [path = ''] = url.split('?');
      const content: unknown = typeof body === 'string' ? JSON.parse(body) : body;
      const request = { method, path: url, headers: new Headers(options.headers), body: content };
      requests.push(request);
      const answer = answers.get(`${method} ${path}`) ?? answers.get(`${method} ${withoutId(path)}`);
      if (answer === undefined) {
        unhandled.push(`${method} ${path}`);
        throw new TypeError(`No answer for ${method} ${path}.`);
      }
      const value = typeof answer === 'function' ? await answer(request) : answer;
      return value instanceof Response ? value.clone() : Response.json({ success: true, ...value });
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    expect(unhandled).toEqual([]);
  });
  return {
    requests,
    on: (route: string, answer: Answer) => void answers.set(route, answer),
    setAccount: (changes: Partial<Account>) =>
      void answers.set('GET /api/user/account', { ...account, ...changes }),
  };
}

/** A failure as the API answers it. */
export const failure = (
  code: ErrorCode,
  message: string,
  more: { retryAfter?: number; details?: unknown } = {},
) =>
  Response.json(
    { success: false, code, message, requestId: 'request-1', details: more.details },
    {
      status: errorStatus[code],
      headers: more.retryAfter === undefined ? {} : { 'Retry-After': String(more.retryAfter) },
    },
  );

const withoutId = (path: string) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':id');
