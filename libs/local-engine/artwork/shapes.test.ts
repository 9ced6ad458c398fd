import { describe, expect, it } from '@jest/globals';
import { randomFrom } from '../random.js';
import { groundAt, landLine, placePath, strip } from './shapes.js';

describe('placePath', () => {
  it('scales and moves points', () => {
    expect(placePath('M0 0L1 -.5Z', 100, 50, 10)).toBe('M100 50L110 45Z');
  });

  it('mirrors with a negative width', () => {
    expect(placePath('M1 1Z', 100, 50, -10)).toBe('M90 60Z');
  });

  it('draws circles', () => {
    expect(placePath('O1 0 .5', 0, 0, 10)).toBe('M5 0a5 5 0 1 1 10 0a5 5 0 1 1 -10 0Z');
  });
});

describe('land', () => {
  const line = (seed: string, jagged = false) => landLine(randomFrom(seed), jagged, 1000, 500, 100);

  it('is the same for the same seed only', () => {
    expect(line('a')).toEqual(line('a'));
    expect(line('a')).not.toEqual(line('b'));
  });

  it('reaches beyond both sides of the picture', () => {
    expect(line('a').at(0)?.[0]).toBeLessThan(0);
    expect(line('a').at(-1)?.[0]).toBeGreaterThan(1000);
  });

  it('changes its slope more when it is jagged', () => {
    const roughness = (points: ReturnType<typeof line>) =>
      points.slice(2).reduce((sum, [, y], i) => {
        const [before, middle] = [points[i]?.[1] ?? 0, points[i + 1]?.[1] ?? 0];
        return sum + Math.abs(y - 2 * middle + before);
      }, 0);
    expect(roughness(line('a', true))).toBeGreaterThan(3 * roughness(line('a')));
  });

  it('has a height at each place of the picture', () => {
    for (const x of [0, 333, 1000]) expect(groundAt(line('a'), x)).toBeGreaterThan(300);
  });

  it('has a strip that never rises above its line', () => {
    expect(strip([[0, 5], [10, 5]], (_, i) => (i ? 3 : -3))).toBe('M0 5L10 5L10 8L0 5Z'); // prettier-ignore
  });
});
