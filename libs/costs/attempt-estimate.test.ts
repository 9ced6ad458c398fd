import { describe, expect, it } from '@jest/globals';
import type { ToolName } from '#libs/tools/catalogue.js';
import { estimateAttempt } from './attempt-estimate.js';

const price = { input: 1, output: 10 };
const estimate = (tool: ToolName, input: unknown, size = 0) => estimateAttempt({ tool, input, size }, price);

const resume = (bytes: number) =>
  estimate('resume-review', { language: 'en' }, Math.floor(Math.log2(bytes) / 2));

describe('The estimated cost of an attempt', () => {
  it('grows with the length that is asked for, the texts and the file', () => {
    const article = estimate('generate-article', { prompt: 'Rivers', length: 800 });
    expect(estimate('generate-article', { prompt: 'Rivers', length: 1600 })).toBe(article + 800 * 3 * 10);
    expect(
      estimate('generate-article', { prompt: 'Rivers', length: 800, sources: '河'.repeat(9_000) }),
    ).toBeGreaterThan(article + 9_000);
    const rewriting = (characters: number) => estimate('rewrite-text', { text: 'a'.repeat(characters) });
    expect(rewriting(20_000)).toBeGreaterThan(2 * rewriting(500));
    expect(resume(20_000)).toBeGreaterThan(resume(1_000));
    expect(resume(5_000_000)).toBe(resume(200_000));
  });

  it('does not depend on parts of a conversation that the model does not get', () => {
    const message = 'When do ships leave?';
    const chatHistory = Array.from({ length: 100 }, () => ({ role: 'user', content: 'a'.repeat(20_000) }));
    expect(estimate('chat-with-pdf', { message, chatHistory })).toBe(estimate('chat-with-pdf', { message }));
  });

  it('is that of one picture for a picture', () => {
    const input = { prompt: 'A lamp', size: '1024x1024' };
    const job = { tool: 'generate-image', input, size: 0 } as const;
    expect(estimateAttempt(job, { image: 0.04 })).toBe(40_000);
    expect(estimateAttempt(job, { input: 5, imageInput: 10, output: 40 })).toBeGreaterThan(
      5_000 * 10 + 7_000 * 40,
    );
  });

  it('is nothing for tools that ask no model', () => {
    expect(estimate('notes-to-text', {})).toBe(0);
    expect(estimate('add-notebook-document', {})).toBe(0);
  });
});
