import { afterAll, expect, it } from '@jest/globals';
import { closeTestModels, describeWithModels, testModels } from '../../../test/support/models.ts';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';

allowTimeForPrograms();

const never = new AbortController().signal;

afterAll(closeTestModels);

describeWithModels('MiniLM', () => {
  it('computes the vectors that its authors publish, which are stored with documents', async () => {
    const { vectors } = await testModels().run('minilm', { texts: ['The garden is open in summer.'] }, never);
    const vector = vectors[0]!;
    expect(vector).toHaveLength(384);
    // Values that an earlier runtime computed from the same weights.
    for (const [at, value] of [0.00147, -0.01888, -0.02062, 0.00014, 0.07456, -0.00532].entries())
      expect(vector[at]).toBeCloseTo(value, 3);
  });

  it('truncates long texts and ignores control characters', async () => {
    const words = (count: number) => 'read '.repeat(count);
    const texts = [words(254), words(5_000), words(200), 'A caf\ufffde\u0000', 'a Café', ''];
    const { vectors } = await testModels().run('minilm', { texts }, never);
    expect(vectors).toHaveLength(texts.length);
    expect(vectors[1]).toEqual(vectors[0]);
    expect(vectors[1]).not.toEqual(vectors[2]);
    expect(vectors[3]).toEqual(vectors[4]);
  });

  it('compares texts with a question word by word', async () => {
    const texts = [
      'Employees are paid on the last day of each month.',
      'The office dog is called Bruno.',
      '',
    ];
    const compare = () => testModels().run('minilm', { texts, question: 'When do I get my salary?' }, never);
    const { closeness } = await compare();
    expect((await compare()).closeness).toEqual(closeness);
    expect(closeness[0]).toBeGreaterThan((closeness[1] ?? 1) + 0.1);
    expect(closeness[2]).toBeLessThan(closeness[0] ?? 0);
    const same = await testModels().run('minilm', { texts: ['Really?'], question: 'Really?' }, never);
    expect(same.closeness[0]).toBeCloseTo(1, 3);
  });
});
