import { EventEmitter } from 'node:events';
import { expect, it, jest } from '@jest/globals';
import type { Response } from 'express';
import { UnsentAnswers } from './unsent-answers.js';

const MB = Buffer.alloc(2 ** 20);

function answer() {
  return Object.assign(new EventEmitter(), {
    ...{ closed: false, writableLength: 0, destroy: jest.fn() },
    write: (chunk: Uint8Array) => chunk.length > 0,
    end: () => undefined,
  });
}

it('refuses a caller who has not read 8 MB of answers, and no other', () => {
  const unsent = new UnsentAnswers();
  const first = answer();
  unsent.count('ada', first as unknown as Response);
  first.writableLength = 8 * MB.length;
  first.write(MB);
  const count = (caller: string) => () => unsent.count(caller, answer() as unknown as Response);
  expect(count('ada')).toThrow('Earlier answers to you are not read yet.');
  expect(count('bob')).not.toThrow();
  first.emit('close');
  expect(count('ada')).not.toThrow();
});

it('breaks off answers that were begun together, from 16 MB on', () => {
  const unsent = new UnsentAnswers();
  const answers = Array.from({ length: 19 }, answer);
  for (const one of answers) unsent.count('ada', one as unknown as Response);
  for (const one of answers) one.write(MB);
  expect(answers.map(({ destroy }) => destroy.mock.calls.length)).toEqual([
    ...Array.from({ length: 17 }, () => 0),
    ...[1, 1],
  ]);
});
