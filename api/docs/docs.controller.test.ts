import { expect, it, jest } from '@jest/globals';
import type { Request, Response } from 'express';
import { defaultPrices } from '#libs/config/prices.js';
import type { Config } from '#libs/config/environment.js';
import { DocsController } from './docs.controller.js';

const stringify = jest.spyOn(JSON, 'stringify');
const config = { publicUrl: 'https://pressroom.example', prices: defaultPrices } as Config;
const request = { acceptsEncodings: () => 'gzip' } as unknown as Request;

it('creates the OpenAPI document once for many requests at once', async () => {
  const { bodies, documents } = await requestAtOnce(1);
  const many = await requestAtOnce(10);
  expect(documents).toBeGreaterThan(0);
  expect(many.documents).toBe(documents);
  expect(new Set(many.bodies)).toEqual(new Set(bodies));
});

/** Sends requests to a new controller. `documents` is the number of times that an OpenAPI document was written as JSON. */
async function requestAtOnce(count: number): Promise<{ bodies: Buffer[]; documents: number }> {
  const controller = new DocsController(config);
  const bodies: Buffer[] = [];
  const response = {
    ...{ type: () => response, vary: () => response, setHeader: () => response },
    send: (body: Buffer) => bodies.push(body),
  } as unknown as Response;
  stringify.mockClear();
  await Promise.all(Array.from({ length: count }, () => controller.openApi(request, response)));
  const isDocument = (value: unknown) => typeof value === 'object' && value !== null && 'openapi' in value;
  return { bodies, documents: stringify.mock.calls.filter(([value]) => isDocument(value)).length };
}
