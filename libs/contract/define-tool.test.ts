import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineCatalogue, defineTool, type ToolContract } from './define-tool.js';

const tool = (order: number, creation: ToolContract['creation'] = null) =>
  defineTool({
    title: 'Probe',
    label: 'Probe',
    tagline: 'A tool of the tests.',
    description: 'A tool of the tests.',
    order,
    group: 'text',
    example: {},
    creation,
    input: z.object({}),
    output: z.object({}),
    queue: 'text',
    plan: 'free',
    credits: 1,
    timeLimitSeconds: 1,
    jobTitle: () => 'Probe',
    successMessage: 'Done',
  });

describe('the catalogue', () => {
  it('accepts tools of different order, several with one creation type', () => {
    const tools = {
      draw: tool(1, { type: 'image', label: 'Image' }),
      cut: tool(2, { type: 'image', label: 'Image' }),
      chat: tool(3),
    };
    expect(defineCatalogue(tools)).toBe(tools);
  });

  it('refuses two tools with the same order, and names them', () => {
    expect(() => defineCatalogue({ draw: tool(1), cut: tool(2), chat: tool(1) })).toThrow(
      'The tools draw and chat have the same order, 1.',
    );
  });

  it('refuses two labels for one creation type, and names the tools', () => {
    expect(() =>
      defineCatalogue({
        draw: tool(1, { type: 'image', label: 'Image' }),
        cut: tool(2, { type: 'image', label: 'Picture' }),
      }),
    ).toThrow('The creation type image has two labels: “Image” in draw and “Picture” in cut.');
  });
});
