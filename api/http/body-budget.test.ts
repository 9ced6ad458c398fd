import { expect, it } from '@jest/globals';
import { BodyBudget } from './body-budget.js';

const KB = 2 ** 10;

it('refuses further bytes of a caller whose bodies have too many, until one is released', () => {
  const budget = new BodyBudget({ perCaller: 100 });
  const [first, second, ofBob] = [budget.open('ada'), budget.open('ada'), budget.open('bob')];
  first.add(60);
  second.add(40);
  expect(() => second.add(1)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  ofBob.add(100);
  second.release();
  second.release();
  const third = budget.open('ada');
  third.add(40);
  expect(() => third.add(1)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
});

it('refuses large bodies while those of all callers have too many bytes, and accepts small ones', () => {
  const budget = new BodyBudget({ perCaller: 1_000 * KB, total: 1_000 * KB });
  const large = budget.open('ada');
  large.add(990 * KB);
  const [small, other] = [budget.open('bob'), budget.open('cy')];
  small.add(64 * KB);
  other.add(10);
  expect(() => other.add(64 * KB)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  large.release();
  budget.open('bob').add(100 * KB);
});

it('refuses bytes that arrive after the answer', () => {
  const budget = new BodyBudget({ perCaller: 100 });
  const body = budget.open('ada');
  body.release();
  expect(() => body.add(60)).toThrow();
  budget.open('ada').add(100);
});
