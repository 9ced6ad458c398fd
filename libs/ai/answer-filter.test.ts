import { describe, expect, it } from '@jest/globals';
import { ANSWER_MAX_CHARACTERS } from '#libs/contract/markdown.js';
import { cpuTime } from '../../test/support/cpu-time.js';
import { AnswerFilter } from './answer-filter.js';

/** Reads an answer in pieces of `size` characters. */
function read(answer: string, size: number, filter = new AnswerFilter()): string {
  let shown = '';
  for (let at = 0; at < answer.length; at += size) shown += filter.add(answer.slice(at, at + size));
  return shown + filter.end();
}

const ARTICLE = '# Tea\n\nTea is a drink. It has 3 < 4 sorts, [see](x).\n';

describe.each([1, 2, 3, 7, 1_000])('an answer in pieces of %i characters', (size) => {
  it.each([
    ['a tag', `<think>\nThe user wants tea.\n</think>\n\n${ARTICLE}`],
    ['a tag after white space', `\n<think>Hm, "<b>".</think>${ARTICLE}`],
    ['two blocks', `<thinking>One.</thinking>\n<thinking>Two.</thinking>\n${ARTICLE}`],
    ['reasoning', `<reasoning>Because.</reasoning>\n\n${ARTICLE}`],
    ['Mistral’s tags', `[THINK]Because.[/THINK]${ARTICLE}`],
    ['Seed’s tags', `<seed:think>Because.</seed:think>${ARTICLE}`],
    ['empty thoughts', `<think>\n\n</think>\n\n${ARTICLE}`],
    [
      'harmony channels',
      `<|channel|>analysis<|message|>We need tea.<|end|><|start|>assistant<|channel|>final<|message|>${ARTICLE}<|return|>`,
    ],
    ['harmony without its tokens', `analysisWe need an article.assistantfinal${ARTICLE}`],
    ['the final channel alone', `<|start|>assistant<|channel|>final<|message|>${ARTICLE}`],
    ['a lone closing tag', `Okay, the user wants an article.\nI begin.\n</think>\n\n${ARTICLE}`],
    ['an end token', `${ARTICLE.trim()}<|im_end|>`],
    ['the start of its message', `<|im_start|>assistant\n${ARTICLE}`],
    ['thoughts after the start of its message', `<|im_start|>assistant\n<think>Tea?</think>\n${ARTICLE}`],
    ['a further message', `${ARTICLE.trim()}<|im_end|>\n<|im_start|>user\nMore tea!<|im_end|>\n`],
    ['end tokens', `${ARTICLE.trim()}\n<|eot_id|>\n</s>\n`],
    ['DeepSeek’s end token', `${ARTICLE.trim()}<｜end▁of▁sentence｜>`],
    ['a tag in capitals', `<THINK>Because.</THINK>\n\n${ARTICLE}`],
    ['a tag with attributes', `<think type="long">Because.</think>\n\n${ARTICLE}`],
    [
      'thoughts and a solution',
      `<|begin_of_thought|>\n\nBecause.\n\n<|end_of_thought|>\n\n<|begin_of_solution|>\n\n${ARTICLE}\n<|end_of_solution|>`,
    ],
    ['a tag with spaces in it', `<think >Because.</ think>\n\n${ARTICLE}`],
    [
      'tags of other names',
      `<longcat_think>A.</longcat_think><thinking_process>B.</thinking_process>${ARTICLE}`,
    ],
    ['Granite’s sentences', `Here is my thought process:\n\nBecause.\n\nHere is my response:\n\n${ARTICLE}`],
    [
      'Open WebUI’s details',
      `<details type="reasoning" done="true">\n<summary>Thought</summary>\n> <think>\n</details>\n\n${ARTICLE}`,
    ],
    ['a tag of the response', `<think>Because.</think><response>${ARTICLE}</response>`],
    ['the start of Gemma’s message', `<start_of_turn>model\n${ARTICLE}<end_of_turn>`],
    ['the start of GLM’s message', `<|assistant|>\n<think>Because.</think>${ARTICLE}<|user|>`],
    ['the start of Phi’s message', `<|im_start|>assistant<|im_sep|>${ARTICLE}<|im_end|>`],
    ['the start of the text', `<|begin_of_text|><|start_header_id|>assistant<|end_header_id|>\n\n${ARTICLE}`],
    ['EXAONE’s end token', `${ARTICLE.trim()}[|endofturn|]`],
    ['Solar’s tokens', `<|think|>Because.<|end|><|begin|>assistant<|content|>${ARTICLE}`],
    ['the start of Solar’s answer', `<|content|>${ARTICLE}`],
    ['thoughts about thoughts', `<thinking>A.\n<reflection>B.</reflection>\n</thinking>\n\n${ARTICLE}`],
    ['a tag of the answer in capitals', `<Thought>Because.</Thought>\n<Output>\n${ARTICLE}</Output>`],
    ['Poe’s quoted thoughts', `*Thinking...*\n\n> **Tea**\n> \n> Because.\n\n${ARTICLE}`],
    ['a tag without thoughts', `<think/>\n\n${ARTICLE}`],
    ['MiniMax’s end token', `${ARTICLE.trim()}[e~[`],
    ['Seed’s end token', `${ARTICLE.trim()}<seed:eos>`],
    ['a further message of Mistral', `${ARTICLE.trim()}</s> [INST] More! [/INST]`],
    ['a further message of Phi', `${ARTICLE.trim()}<|end|><|user|>More?<|end|><|assistant|>Yes.`],
    ['a further message of Llama without its header', `${ARTICLE.trim()}<|eot_id|>assistant\n\nMore.`],
    ['a further message after the end of a text', `${ARTICLE.trim()}<|endoftext|>Human: More?`],
    ['a further message without its token', `${ARTICLE.trim()}<|im_end|>\nassistant\nAgain.`],
    ['a further text', `${ARTICLE.trim()}<|end_of_text|>More.`],
    ['a further message of gpt-oss', `${ARTICLE.trim()}<|return|><|start|>user<|message|>More?`],
    ['a further message of GLM', `${ARTICLE.trim()}<|user|>\nMore?`],
    ['a further message of DeepSeek', `${ARTICLE.trim()}<｜end▁of▁sentence｜><｜User｜>More?`],
    ['Kimi’s tags', `◁think▷Because.◁/think▷${ARTICLE}`],
    [
      'a final channel with a format',
      `<|channel|>analysis<|message|>We need tea.<|end|><|start|>assistant<|channel|>final <|constrain|>JSON<|message|>${ARTICLE}`,
    ],
  ])('leaves out %s', (_, answer) => {
    expect(read(answer, size).trim()).toBe(ARTICLE.trim());
  });

  it('leaves out thoughts in the middle, if the answer began with thoughts', () => {
    expect(read(`<think>Tea?</think># Tea\n<think>\nMore?\n</think>\nIt is a drink.`, size)).toBe(
      '# Tea\nIt is a drink.',
    );
  });

  it('leaves out thoughts on one line in the middle, if the answer began with thoughts', () => {
    expect(read('<thinking>Tea?</thinking># Tea\n<thinking>More?</thinking>\nIt is a drink.', size)).toBe(
      '# Tea\nIt is a drink.',
    );
  });

  it('leaves out thoughts of another name in the middle, if the answer began with thoughts', () => {
    const answer = '<thinking>Tea?</thinking># Tea\n<reflection>\nMore?\n</reflection>\nIt is a drink.';
    expect(read(answer, size)).toBe('# Tea\nIt is a drink.');
  });

  it.each(['# Tea\n\n', 'Okay is a word.\n\nTea is a drink.\n\n'])(
    'leaves out thoughts on lines of their own after %j',
    (before) => {
      expect(read(`${before}<think>\nMore?\n</think>\n\n${ARTICLE}`, size)).toBe(`${before}${ARTICLE}`);
    },
  );

  it.each([
    'Sure!',
    'Okay, here it is:',
    'Here is the article.',
    'Here’s your article:',
    'Let me think about this.',
  ])('leaves out thoughts after %s', (agreement) => {
    expect(read(`${agreement}\n\n<think>\nTea?\n</think>\n\n${ARTICLE}`, size)).toBe(ARTICLE);
  });

  it.each([
    [
      'tags in code',
      'Models write `<think>` and `</think>`.\n\n```xml\n<think>\nHm\n</think>\n```\n\nThe end.',
    ],
    ['a block of tags in the middle', 'Such a model writes:\n\n<think>\nHm\n</think>\n\nThen it answers.'],
    ['tags that are not closed', 'Such a model writes:\n\n<think>\nHm. And so on.'],
    [
      'tags in code after words like thoughts',
      'We need to see it:\n\n```xml\n<think>\nHm\n</think>\n```\n\nThe end.',
    ],
    ['a closing tag in code after words like thoughts', 'I need to close it with `</think>` first.'],
    ['tags in a sentence', 'The tag <think> opens, and </think> closes.'],
    ['a text that begins like thoughts', 'Okay is a word from 1839.'],
    ['comparisons and links', 'a < b, [c], <d'],
    ['a title in italics', '*Thinking, Fast and Slow* is a book.\n\n> It says so.\n\nThe end.'],
    ['a token of Solar in a sentence', 'The token <|content|> begins an answer.'],
    ['a tag of JSX', 'Use it:\n\n<Output>\nText\n</Output>\n\nThe end.'],
    ['an end token in the middle', 'The token </s> ends a text.'],
    ['a closing tag in a sentence', 'R1 ends thoughts with </think> before the answer.'],
    [
      'a closing tag in a sentence after words like thoughts',
      'Okay is R1, which writes </think> at the end.',
    ],
    [
      'messages in a code block',
      '# ChatML\n\n```\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n```\n\nThe end.',
    ],
    ['messages in inline code', 'Llama 3 writes `<|eot_id|><|start_header_id|>` between messages.'],
    ['messages as text', 'Write <|im_start|>user\nHi<|im_end|>\n<|im_start|>user\nHello\n\nThe end.'],
    ['end tokens of a list', '- <|im_end|>: in ChatML\n- <|eot_id|>: in Llama 3'],
    ['end tokens on lines of their own', 'The tokens are:\n\n<|eot_id|>\n<|end_of_text|>\n\nThe end.'],
    [
      'an end token as a paragraph',
      'ChatML ends each message by this token\n\n<|im_end|>\n\nLlama has another one.',
    ],
    ['a start token as a line', 'A prompt has two parts.\n\n<|user|>\nWhat is tea?\n\nThe end.'],
    ['an end token at the end of a line', 'Llama 3 ends a message with <|eot_id|>\nand begins the next.'],
    ['an end token at the start of a line', 'So it is.\n<|eot_id|> ends a message.'],
    ['an end token between words', 'Texts are joined as one<|endoftext|>two.'],
    ['end tokens of a table', '| Token | Model |\n|---|---|\n| <|im_end|> | Qwen |\n| <|end|> | Phi |'],
    ['a bold end token', '**<|im_end|>** ends it.\n\n**<|eot_id|>** too.'],
    ['an end token in inline code', 'Write `<|im_end|>`\nafter it.'],
    ['a struck word', 'It costs <s>5</s>4 euros.'],
    ['a tag that was named', 'R1 writes `<think>`.\n\n<think>\nHm\n</think>\n\nThe end.'],
    ['other tags on lines of their own', 'A prompt.\n\n<thinking>\nHm\n</thinking>\n\nThe end.'],
    ['emoji', '🦊🎨 and 🇩🇪'],
    ['XML after words like thoughts', 'We need to see it:\n<scratchpad n="1">a</scratchpad>'],
    ['"analysis" as a word', 'analysis of tea'],
    ['an agreement', 'Sure!\n\nTea is a drink. <think> opens.'],
    ['an agreement alone', 'Sure!'],
    ['leading white space', '\n\n  indented'],
  ])('keeps %s', (_, answer) => {
    const filter = new AnswerFilter();
    expect(read(answer, size, filter)).toBe(answer);
    expect(filter.hasReturnedReasoning).toBe(false);
  });

  it('keeps thoughts within the text if the request has such a tag', () => {
    const prompt = 'You are a tutor.\n\n<think>\nList the steps.\n</think>\n\nThen answer.';
    expect(read(prompt, size, new AnswerFilter(false, true))).toBe(prompt);
    expect(read(`<think>\nHm\n</think>\n\n${ARTICLE}`, size, new AnswerFilter(false, true))).toBe(ARTICLE);
  });

  it('is empty if it has thoughts alone', () => {
    expect(read('<think>The user wants tea. I', size)).toBe('');
    expect(read('<think>The user wants tea.</think>', size)).toBe('');
  });

  it('replaces lone surrogates and removes U+0000', () => {
    expect(read('a\u0000b\uD83Dc', size)).toBe('ab\uFFFDc');
  });
});

it('tells that it has returned reasoning, unless the model is known to send it untagged', () => {
  const answer = 'Tea needs three headings.\n</think>\n\nTea is a drink.';
  const filter = new AnswerFilter();
  filter.add(answer);
  expect(filter.hasReturnedReasoning).toBe(true);
  expect(read(answer, 4, new AnswerFilter(true))).toBe('Tea is a drink.');
  expect(read('Tea is a drink.', 4, new AnswerFilter(true))).toBe('Tea is a drink.');
});

it.each([
  '<doc>\n<analysis type="x">We saw it.</analysis>\n</doc>',
  'A quote: <thought by="Ada">Hm.</thought> It is old.',
])('keeps %s of a model that is known to send reasoning untagged', (answer) => {
  const filter = new AnswerFilter();
  filter.add(answer);
  expect(filter.hasReturnedReasoning).toBe(false);
  expect(read(answer, 4, new AnswerFilter(true))).toBe(answer);
});

it('leaves out reasoning in reasoning of a model that is known to send reasoning untagged', () => {
  const answer = `<think>One <think>two</think> three\n</think>\n\n${ARTICLE}`;
  const filter = new AnswerFilter();
  filter.add(answer);
  expect(filter.hasReturnedReasoning).toBe(true);
  expect(read(answer, 4, new AnswerFilter(true))).toBe(ARTICLE);
});

it('leaves out untagged reasoning up to its own closing tag', () => {
  expect(read(`An <analysis>.</analysis>\n</think>\n\n${ARTICLE}`, 4, new AnswerFilter(true))).toBe(ARTICLE);
});

it.each([
  ['white space', ' '.repeat(200_000)],
  ['open tags', '<think>\n'.repeat(20_000)],
  ['angle brackets', '<'.repeat(200_000)],
  ['angle brackets with spaces', '< '.repeat(100_000)],
  ['a held answer', `Okay, ${'tea '.repeat(50_000)}`],
  ['closing tags', '`</think>` '.repeat(20_000)],
])('reads %s in time that grows with the length', (_, answer) => {
  const begun = cpuTime();
  read(answer, 40);
  read(answer, 1_000_000);
  expect(cpuTime() - begun).toBeLessThan(5_000);
});

it('holds an answer that may be reasoning up to the longest answer', () => {
  const filter = new AnswerFilter();
  let shown = '';
  for (let at = 0; at < 2 * ANSWER_MAX_CHARACTERS; at += 10_000)
    shown += filter.add(`Okay, ${'x'.repeat(9_994)}`);
  expect(shown.length).toBeGreaterThan(ANSWER_MAX_CHARACTERS);
});
