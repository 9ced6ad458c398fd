import { afterAll, describe, expect, it } from '@jest/globals';
import { closeTestModels, describeWithModels, testModels } from '../../../test/support/models.ts';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';
import { wordPieces } from './word-pieces.js';

allowTimeForPrograms();

const never = new AbortController().signal;

describe('texts', () => {
  const pieces = ['[CLS]', '[SEP]', '[UNK]', 'read', '##ing', 'cafe', '.', '-', '本', 'x'];
  const tokensOf = wordPieces(Object.fromEntries(pieces.map((piece, at) => [piece, at])), 12);
  const divided = (text: string) => tokensOf(text).map((token) => pieces[token]);

  it('are divided into the longest pieces that the model knows', () => {
    expect(divided('Reading CAFÉ-read.')).toEqual([
      ...['[CLS]', 'read', '##ing', 'cafe', '-', 'read', '.', '[SEP]'],
    ]);
    expect(divided('本本 reader')).toEqual(['[CLS]', '本', '本', '[UNK]', '[SEP]']);
    expect(divided('\u0000re\u00ada\ufffdd\ufeffing')).toEqual(['[CLS]', 'read', '##ing', '[SEP]']);
  });

  it('are cut where the model reads no further', () => {
    expect(divided('read '.repeat(1_000))).toHaveLength(12);
    expect(divided('x'.repeat(100_000))).toEqual(['[CLS]', '[UNK]', '[SEP]']);
    expect(divided('')).toEqual(['[CLS]', '[SEP]']);
  });
});

afterAll(closeTestModels);

describeWithModels('MiniLM', () => {
  it('makes the vectors that its authors publish, which are kept with documents', async () => {
    const { vectors } = await testModels().run('minilm', { texts: ['The garden is open in summer.'] }, never);
    const vector = vectors[0]!;
    expect(vector).toHaveLength(384);
    // As the former runtime made them of the same weights.
    for (const [at, value] of [0.00147, -0.01888, -0.02062, 0.00014, 0.07456, -0.00532].entries())
      expect(vector[at]).toBeCloseTo(value, 3);
  });

  it('tells which text meets a question, word by word', async () => {
    const texts = [
      'Employees are paid on the last day of each month.',
      'The office dog is called Bruno.',
      '',
    ];
    const { closeness } = await testModels().run(
      'minilm',
      { texts, question: 'When do I get my salary?' },
      never,
    );
    expect(closeness[0]).toBeGreaterThan((closeness[1] ?? 1) + 0.1);
    expect(closeness[2]).toBeLessThan(closeness[0] ?? 0);
    const same = await testModels().run('minilm', { texts: ['Really?'], question: 'Really?' }, never);
    expect(same.closeness[0]).toBeCloseTo(1, 3);
  });
});
