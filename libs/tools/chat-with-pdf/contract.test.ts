import { describe, expect, it } from '@jest/globals';
import { chatWithPdf } from './contract.js';

const parse = (fields: object) => chatWithPdf.input.safeParse({ message: 'Why?', ...fields });
const messageOf = (fields: object) => parse(fields).error?.issues[0]?.message;

describe('the input of a chat with a PDF', () => {
  it('is a trimmed question', () => {
    expect(parse({ message: '  Why?\n' }).data).toEqual({ message: 'Why?' });
    expect(messageOf({ message: ' \n' })).toBe('Please enter your question');
    expect(messageOf({ message: undefined })).toBe('Please enter your question');
    expect(messageOf({ message: 'x'.repeat(4_001) })).toContain('4,000');
  });

  it('accepts a history as JSON text, and its own output', () => {
    const text = JSON.stringify([
      { role: 'user', content: 'A', id: 1 },
      { role: 'model', content: 'B' },
    ]);
    const once = parse({ chatHistory: text }).data;
    expect(once?.chatHistory).toEqual([
      { role: 'user', content: 'A' },
      { role: 'assistant', content: 'B' },
    ]);
    expect(chatWithPdf.input.parse(once)).toEqual(once);
    expect(parse({ chatHistory: '' }).data?.chatHistory).toEqual([]);
  });

  it.each(['{', 'hello', '{"role":"user"}', '[1]', '[{"role":"user"}]', '"text"'])(
    'refuses the history %s',
    (text) => {
      expect(parse({ chatHistory: text }).success).toBe(false);
    },
  );

  it('takes the latest messages of an endless history', () => {
    const messages = Array.from({ length: 500 }, (_, at) => ({ role: 'user', content: `${at}` }));
    const { chatHistory } = parse({ chatHistory: JSON.stringify(messages) }).data!;
    expect(chatHistory).toHaveLength(100);
    expect(chatHistory?.at(-1)?.content).toBe('499');
  });

  it('needs a file, or a document that was sent before', () => {
    const missing = { field: 'pdf', message: 'Please upload a PDF file first' };
    expect(chatWithPdf.check?.({ message: 'Why?' }, new Set())).toEqual(missing);
    expect(chatWithPdf.check?.({ message: 'Why?', file_name: '' }, new Set())).toEqual(missing);
    expect(chatWithPdf.check?.({ message: 'Why?' }, new Set(['pdf']))).toBeNull();
    expect(chatWithPdf.check?.({ message: 'Why?', file_name: 'a.pdf' }, new Set())).toBeNull();
  });
});
