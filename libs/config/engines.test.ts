import { describe, expect, it } from '@jest/globals';
import type { ImageOperation } from '#libs/contract/engine.js';
import { engineFor, readEngines } from './engines.js';

const lacking = (...operations: ImageOperation[]) => new Set(operations);

describe('the engine of a job', () => {
  const engines = readEngines({}, true);
  const creation = { creation: '1' };

  it.each([
    ['remove-image-object', {}, lacking(), 'openai'],
    ['remove-image-object', {}, lacking('edit'), 'offline'],
    ['remove-image-object', {}, lacking('generate'), 'openai'],
    ['generate-image', {}, lacking('edit'), 'openai'],
    ['generate-image', {}, lacking('generate'), 'offline'],
    ['generate-image', creation, lacking('edit'), 'offline'],
    ['remove-image-background', {}, lacking(), 'offline'],
    ['generate-article', {}, lacking('generate', 'edit'), 'openai'],
  ] as const)('of %s with %j is what can serve it', (tool, input, without, expected) => {
    expect(engineFor(tool, input, engines, without)).toBe(expected);
  });

  it('is the operator’s choice', () => {
    const chosen = readEngines(
      { ENGINE_REMOVE_IMAGE_OBJECT: 'provider', ENGINE_GENERATE_IMAGE: 'offline' },
      true,
    );
    expect(engineFor('remove-image-object', {}, chosen, lacking('edit'))).toBe('openai');
    expect(engineFor('generate-image', {}, chosen, lacking())).toBe('offline');
  });

  it('is this server without an AI service', () => {
    expect(engineFor('remove-image-object', {}, readEngines({}, false), lacking())).toBe('offline');
  });
});
