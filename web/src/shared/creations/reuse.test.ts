import { describe, expect, it } from '@jest/globals';
import { formOf, promptToolOf, toolsTaking } from './reuse';

describe('what a creation can be used for again', () => {
  it.each([
    ['article', null, 'generate-article'],
    ['blog-title', { category: 'Food' }, 'generate-blog-title'],
    ['image', { size: '1024x1024', seed: 7 }, 'generate-image'],
    ['image', null, null],
    ['resume-review', null, null],
  ])('an %s with %j is made by %s', (type, settings, tool) => {
    expect(promptToolOf({ type, settings })).toBe(tool);
  });

  it('fills in the form without the seed', () => {
    expect(formOf({ prompt: 'Sea', settings: { style: '3D style', seed: 7 } })).toEqual({
      prompt: 'Sea',
      style: '3D style',
    });
  });

  it('is an input of the image generator only where that can change pictures', () => {
    expect(toolsTaking(() => 'offline')).not.toContain('generate-image');
    expect(toolsTaking(() => 'openai')).toContain('generate-image');
  });
});
