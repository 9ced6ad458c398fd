import type { ModelPrice } from '#libs/config/provider-prices.js';
import { tools, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import { costOf } from './call-cost.js';

/** Most calls of a text model in an attempt, with repairs, and most tokens of each. */
interface TextUse {
  calls: number;
  input: number;
  output: number;
}

/** A square of gpt-image-1 in high quality has 4,160 tokens, its other sizes have 6,240. */
const PICTURE = { imageInput: 5_000, output: 7_000 };
/** Instructions of a tool, with the form of its answer. */
const INSTRUCTIONS = 2_000;
/** Reasoning before an answer, which is billed as a part of it. */
const REASONING = 4_000;
/** An answer whose length does not depend on the input: a review, a letter, a comparison. */
const ANSWER = 4_000;
/** Passages of documents with the names of these, and the history of a conversation. */
const PASSAGES = 16_000;
const NONE: TextUse = { calls: 0, input: 0, output: 0 };

/** Languages other than English have up to three tokens a word. */
const TOKENS_PER_WORD = 3;
/** English text has more than four bytes a token, Chinese text about three. */
const BYTES_PER_TOKEN = 3;
/** The longest resume, in characters. */
const RESUME_CHARACTERS = 200_000;
/** Files of texts are compressed to a third at most. */
const CHARACTERS_PER_BYTE = 3;

const tokensOf = (input: unknown): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(input)) / BYTES_PER_TOKEN);

/** @param size size class of the resume's file, see `sizeClass` */
const resumeTokens = (size: number): number =>
  Math.ceil(Math.min(RESUME_CHARACTERS, CHARACTERS_PER_BYTE * 4 ** (size + 1)) / BYTES_PER_TOKEN);

const withResume =
  (calls: number) =>
  (input: unknown, size: number): TextUse => ({
    calls,
    input: tokensOf(input) + resumeTokens(size),
    output: ANSWER,
  });

/** The translation of a question, and the answer. The model gets the end of a conversation only. */
const answer = ({ message }: { message: string }): TextUse => ({
  calls: 2,
  input: tokensOf(message) + PASSAGES,
  output: ANSWER,
});

const textUses: { [N in ToolName]: (input: ToolInput<N>, size: number) => TextUse } = {
  'generate-article': (input) => ({
    calls: 1,
    input: tokensOf(input),
    output: input.length * TOKENS_PER_WORD,
  }),
  'generate-blog-title': (input) => ({ calls: 2, input: tokensOf(input), output: ANSWER }),
  // The instructions are repeated with each part that lost a fact.
  'humanize-text': (input) => ({ calls: 2, input: 2 * tokensOf(input), output: 2 * tokensOf(input.text) }),
  'rewrite-text': (input) => ({
    calls: 2,
    input: 3 * tokensOf(input),
    output: 2 * tokensOf(input.text) + ANSWER,
  }),
  'chat-with-pdf': answer,
  'ask-notebook': answer,
  'summarise-document': () => ({ calls: 2, input: PASSAGES, output: ANSWER }),
  'add-notebook-document': () => NONE,
  'notes-to-text': () => NONE,
  'resume-review': withResume(3),
  'calculate-ats-score': withResume(2),
  'tailored-bullets': withResume(4),
  'cover-letter': withResume(4),
  'generate-image': () => NONE,
  'remove-image-background': () => NONE,
  'remove-image-object': () => NONE,
};

/** The tool, input and size class of a job. */
interface EstimatedJob {
  tool: ToolName;
  input: unknown;
  size: number;
}

/** The most that an attempt of a job costs at a price, estimated from its input. In millionths of the currency. */
export function estimateAttempt({ tool, input, size }: EstimatedJob, price: ModelPrice): number {
  if (tools[tool].queue === 'image') {
    const usage = { input: tokensOf(input) + INSTRUCTIONS + PICTURE.imageInput, ...PICTURE };
    return costOf(price, usage, { images: 1 });
  }
  const useOf = textUses[tool] as (input: unknown, size: number) => TextUse;
  const use = useOf(input, size);
  const perCall = { input: use.input + INSTRUCTIONS, output: use.output + REASONING };
  // A repair has the answer before it as a part of its input.
  const repeated = Math.max(0, use.calls - 1) * use.output;
  return (
    use.calls * costOf(price, perCall, { images: 0 }) +
    costOf(price, { input: repeated, output: 0 }, { images: 0 })
  );
}
