import { describe, expect, it } from '@jest/globals';
import { formOf, canVary, promptToolOf, resumeToolOf, toolsTaking } from './reuse';

describe('the reuse of a creation', () => {
  it.each([
    ['article', null, 'generate-article'],
    ['blog-title', { category: 'Food' }, 'generate-blog-title'],
    ['image', { size: '1024x1024', seed: 7 }, 'generate-image'],
    ['image', null, null],
    ['humanized-text', null, 'humanize-text'],
    ['resume-review', null, null],
  ])('of an %s with %j is by %s', (type, settings, tool) => {
    expect(promptToolOf({ type, settings })).toBe(tool);
  });

  it.each([
    ['resume-review', 'resume-review'],
    ['ats-score', 'calculate-ats-score'],
    ['tailored-bullets', 'tailored-bullets'],
    ['cover-letter', 'cover-letter'],
  ])('of a %s from a resume is by %s', (type, tool) => {
    expect(resumeToolOf({ type })).toBe(tool);
    expect(promptToolOf({ type, settings: { jobDescription: 'We need Rust.' } })).toBeNull();
  });

  it('fills in the form without the seed', () => {
    expect(formOf({ type: 'image', prompt: 'Sea', settings: { style: '3D style', seed: 7 } })).toEqual({
      prompt: 'Sea',
      style: '3D style',
    });
  });

  it('rewrites a text, differently only with an AI service', () => {
    expect(formOf({ type: 'humanized-text', prompt: 'Stiff.', settings: null })).toEqual({ text: 'Stiff.' });
    const engines = ['openai', 'offline'];
    expect(engines.map((engine) => canVary('humanize-text', engine))).toEqual([true, false]);
    expect(engines.map((engine) => canVary('generate-image', engine))).toEqual([true, true]);
  });

  it('passes an image to the generator only if it can edit pictures', () => {
    expect(toolsTaking(false)).not.toContain('generate-image');
    expect(toolsTaking(true)).toContain('generate-image');
  });
});
