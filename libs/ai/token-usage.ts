import type { TokenUsage } from './engine.js';

/** More than any call has. A greater count is a mistake of the server. */
export const MAX_TOKENS = 100_000_000;

/** What servers send. They fill it in many ways, so every part is checked. */
export interface SentUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown } | null;
  /** Names of the Images API. */
  input_tokens?: unknown;
  output_tokens?: unknown;
  input_tokens_details?: { image_tokens?: unknown } | null;
}

/** Reads the tokens of an answer. Null if input or output is missing or impossible, or if both are 0: it was not counted. */
export function readTokenUsage(usage: SentUsage | null | undefined): TokenUsage | null {
  const input = readCount(usage?.input_tokens ?? usage?.prompt_tokens);
  const output = readCount(usage?.output_tokens ?? usage?.completion_tokens);
  if (input === null || output === null || input + output === 0) return null;
  const cachedInput = readCount(usage?.prompt_tokens_details?.cached_tokens);
  const imageInput = readCount(usage?.input_tokens_details?.image_tokens);
  return {
    input,
    output,
    ...(cachedInput && { cachedInput: Math.min(cachedInput, input) }),
    ...(imageInput && { imageInput: Math.min(imageInput, input) }),
  };
}

function readCount(value: unknown): number | null {
  const count = typeof value === 'string' ? Number.parseFloat(value) : value;
  return Number.isInteger(count) && (count as number) >= 0 && (count as number) <= MAX_TOKENS
    ? (count as number)
    : null;
}
