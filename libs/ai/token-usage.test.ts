import { expect, it } from '@jest/globals';
import { readTokenUsage } from './token-usage.js';

it.each([
  [
    { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 6 } },
    { input: 9, output: 4, cachedInput: 6 },
  ],
  [
    { input_tokens: 9, output_tokens: 4, input_tokens_details: { image_tokens: 5 } },
    { input: 9, output: 4, imageInput: 5 },
  ],
  [
    { prompt_tokens: '9', completion_tokens: 0 },
    { input: 9, output: 0 },
  ],
  [
    { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 1e15 } },
    { input: 9, output: 4 },
  ],
  [
    { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 10 } },
    { input: 9, output: 4, cachedInput: 9 },
  ],
  [{ prompt_tokens: -1, completion_tokens: 4 }, null],
  [{ prompt_tokens: 9, completion_tokens: 4.5 }, null],
  [{ prompt_tokens: 9, completion_tokens: 100_000_001 }, null],
  [{ prompt_tokens: 9, completion_tokens: Infinity }, null],
  [{ prompt_tokens: 9, completion_tokens: 'many' }, null],
  [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, null],
  [{ prompt_tokens: 9 }, null],
  [{}, null],
  [null, null],
])('reads %j as %j', (sent, usage) => expect(readTokenUsage(sent)).toEqual(usage));
