import { describe, expect, it } from '@jest/globals';
import type { ToolInput } from '../catalogue.js';
import { imageInputSchema, imageStyles } from './contract.js';
import { imagePrompt, parsePrompt } from './prompt.js';

const input = (prompt: string, more: Partial<ToolInput<'generate-image'>> = {}) => ({
  ...imageInputSchema.parse({ prompt }),
  ...more,
});

describe('subject and style', () => {
  it.each([
    ['A red barn', 'A red barn', 'Realistic'],
    ['Generate an image of a red barn in the style Anime style', 'a red barn', 'Anime style'],
    ['Generate an image of a red barn in the style Realistic', 'a red barn', 'Realistic'],
    ['generate an image of a red barn in the style of Ghibli.', 'a red barn', 'Ghibli style'],
    ['Please create a beautiful picture of "a red barn", in 3D style', 'a red barn', '3D style'],
    ['A red barn. Style: Portrait style', 'A red barn', 'Portrait style'],
    ['Paint on a canvas in the rain', 'Paint on a canvas in the rain', 'Realistic'],
    ['A street in Paris', 'A street in Paris', 'Realistic'],
    ['A cartoon character in the garden', 'A cartoon character in the garden', 'Realistic'],
  ])('%s', (prompt, subject, style) => {
    expect(parsePrompt(input(prompt))).toEqual({ subject, style });
  });

  it('the field takes precedence over the words', () => {
    expect(parsePrompt(input('A barn in anime style', { style: 'Fantasy style' })).style).toBe(
      'Fantasy style',
    );
  });
});

describe('the prompt for a model', () => {
  it.each(imageStyles)('names the style %s', (style) => {
    const prompt = imagePrompt(input('A red barn', { style }));
    expect(prompt).toMatch(/^A red barn\n\nStyle: /);
    expect(prompt.toLowerCase()).toContain((style.split(' ')[0] ?? '').toLowerCase());
  });

  it("is the client's instruction if it names its style", () => {
    const built = 'Generate an image of a red barn in the style Anime style';
    expect(imagePrompt(input(built))).toBe(built);
  });
});

describe('the fields', () => {
  it.each([
    [{}, 'Describe the image.'],
    [{ prompt: '  ' }, 'Describe the image.'],
    [{ prompt: 'x'.repeat(4001) }, 'within 4,000 characters'],
    [{ prompt: 'x', style: 'Baroque' }, 'Choose one of the styles'],
    [{ prompt: 'x', size: '64x64' }, 'Choose one of the sizes'],
    [{ prompt: 'x', publish: 'true' }, 'true or false'],
  ])('%j is refused', (body, words) => {
    expect(imageInputSchema.safeParse(body).error?.issues[0]?.message).toContain(words);
  });

  it('have the defaults of the form', () => {
    expect(imageInputSchema.parse({ prompt: ' x ' })).toEqual({
      prompt: 'x',
      size: '1024x1024',
      publish: false,
      count: 1,
    });
  });
});
