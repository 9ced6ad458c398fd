import { describe, expect, it } from '@jest/globals';
import { toolNames, tools } from '#libs/tools/catalogue.js';
import { readPrices } from '#libs/config/prices.js';
import { createOpenApi } from './openapi.js';

interface Operation {
  tags: string[];
  operationId: string;
  requestBody?: { content: Record<string, { schema: object; example?: object }> };
  responses: Record<string, { headers?: object }>;
}

const document = createOpenApi('https://pressroom.example');
const operations = Object.values(document.paths!).flatMap((path) =>
  Object.values(path as Record<string, Operation>),
);

describe('the OpenAPI document', () => {
  it.each(toolNames)('has a valid example of %s', (name) => {
    expect(tools[name].input.safeParse(tools[name].example)).toMatchObject({ success: true });
  });

  it('describes every tag', () => {
    const described = document.tags!.map(({ name }) => name).toSorted();
    expect([...new Set(operations.flatMap(({ tags }) => tags))].toSorted()).toEqual(described);
  });

  it('has one media type for each body, so that generated clients lose no file', () => {
    const bodies = operations.flatMap(({ requestBody }) =>
      requestBody ? [Object.keys(requestBody.content)] : [],
    );
    expect(bodies.length).toBeGreaterThan(20);
    expect(bodies.filter((types) => types.length !== 1)).toEqual([]);
    const chat = operations.find(({ operationId }) => operationId === 'chat-with-pdf')!;
    expect(chat.requestBody!.content['multipart/form-data']!.schema).toMatchObject({
      properties: {
        pdf: { type: 'string', format: 'binary' },
        chatHistory: { type: 'string', contentMediaType: 'application/json' },
      },
    });
  });

  it('has Retry-After on every 429 and 503', () => {
    const answers = operations.flatMap(({ responses }) =>
      Object.entries(responses).filter(([status]) => status === '429' || status === '503'),
    );
    expect(answers.length).toBeGreaterThan(60);
    expect(answers.filter(([, { headers }]) => !headers)).toEqual([]);
  });

  it('types results, errors and the two answers of a submission', () => {
    const { Job, GenerateArticleResult, Failure } = document.components!.schemas as Record<string, never>;
    expect(Job).toMatchObject({
      properties: {
        result: { anyOf: expect.arrayContaining([{ $ref: '#/components/schemas/GenerateArticleResult' }]) },
        error: {
          anyOf: [{ properties: { code: { enum: expect.arrayContaining(['PROVIDER_FAILED']) } } }, {}],
        },
      },
    });
    expect(GenerateArticleResult).toMatchObject({ properties: { content: { type: 'string' } } });
    expect(Failure).toMatchObject({
      properties: { details: { anyOf: [{ type: 'array' }, { type: 'object' }] } },
    });
    const article = operations.find(({ operationId }) => operationId === 'generate-article')!;
    expect(JSON.stringify(article.responses['202'])).toContain('"accepted"');
    expect(JSON.stringify(article.responses['200'])).not.toContain('"accepted"');
  });
});

it('names the prices of this server', () => {
  const prices = readPrices('{"tools":{"generate-article":2}}');
  const { paths } = createOpenApi('https://pressroom.example', 'everyone', prices);
  const priced = (path: string) => paths![path]!.post!.description;
  expect(priced('/api/ai/generate-article')).toContain('Costs 2 credits on the free plan.');
  expect(priced('/api/ai/rewrite-text')).toContain('Costs 1 credit on the free plan.');
});
