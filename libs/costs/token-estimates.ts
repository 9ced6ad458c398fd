import type { BilledResponse, TokenUsage } from '#libs/ai/engine.js';
import { MAX_TOKENS } from '#libs/ai/token-usage.js';

/** English text has about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;
/** A square picture of medium quality by gpt-image-1. */
const PICTURE_TOKENS = 1_056;

interface Counted {
  inputCharacters: number;
  inputTokens: number;
  outputCharacters: number;
  outputTokens: number;
  images: number;
}

/** Estimates tokens of responses that the provider did not count, by those of the same model that it counted. */
export class TokenEstimates {
  private readonly counted = new Map<string, Counted>();

  learn(model: string, isImage: boolean, response: BilledResponse & { usage: TokenUsage }): void {
    const sum = this.of(model, isImage);
    sum.inputCharacters += response.inputCharacters;
    sum.inputTokens += response.usage.input;
    sum.outputCharacters += response.outputCharacters;
    sum.outputTokens += response.usage.output;
    sum.images += response.images;
  }

  estimate(model: string, isImage: boolean, response: BilledResponse): TokenUsage {
    const sum = this.of(model, isImage);
    const { inputCharacters, outputCharacters, images } = response;
    const perPicture = sum.images > 0 ? sum.outputTokens / sum.images : PICTURE_TOKENS;
    return {
      input: toCount(inputCharacters * ratio(sum.inputTokens, sum.inputCharacters)),
      output: toCount(
        isImage ? images * perPicture : outputCharacters * ratio(sum.outputTokens, sum.outputCharacters),
      ),
    };
  }

  private of(model: string, isImage: boolean): Counted {
    const key = `${isImage ? 'image' : 'text'} ${model}`;
    const known = this.counted.get(key);
    if (known) return known;
    const none = { inputCharacters: 0, inputTokens: 0, outputCharacters: 0, outputTokens: 0, images: 0 };
    this.counted.set(key, none);
    return none;
  }
}

const toCount = (tokens: number): number => Math.min(Math.round(tokens), MAX_TOKENS);

const ratio = (tokens: number, characters: number): number =>
  characters > 0 && tokens > 0 ? tokens / characters : 1 / CHARACTERS_PER_TOKEN;
