import { parseLenient } from './parse-lenient.js';

/**
 * Finds the JSON value in a model's answer.
 * @returns undefined if the answer contains no valid JSON, for example because it is cut off
 */
export const readJson = (answer: string): unknown => readJsonValues(answer).next().value;

/**
 * Finds the JSON values in a model's answer, which may be in code fences or between other text, and may have the mistakes
 * that `parseLenient` reads.
 */
export function* readJsonValues(answer: string): Generator<unknown, undefined> {
  for (const candidate of candidates(answer)) {
    const value = parse(candidate);
    if (value !== undefined) yield value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseLenient(text);
  }
}

/** Gives up after this many brackets without a closing bracket, because each search reads the whole rest of the answer. */
const MAX_UNCLOSED = 50;

/**
 * Yields texts that may be the JSON value: the whole answer, the contents of code fences, then each balanced object or
 * array, and the rest of the answer after the first bracket that is not closed.
 */
function* candidates(answer: string): Generator<string> {
  yield answer.trim();
  for (const [, inside = ''] of answer.matchAll(/```[a-z0-9]{0,20}([\s\S]*?)```/gi)) yield inside.trim();
  let unclosed = 0;
  for (let start = nextOpening(answer, 0); start >= 0 && unclosed < MAX_UNCLOSED;) {
    const end = closingOf(answer, start);
    if (end > 0) yield answer.slice(start, end);
    else if (unclosed === 0) yield answer.slice(start).replace(/\s*```\s*$/, '');
    if (end < 0) unclosed += 1;
    start = nextOpening(answer, end > 0 ? end : start + 1);
  }
}

function nextOpening(text: string, from: number): number {
  const opening = /[{[]/g;
  opening.lastIndex = from;
  return opening.exec(text)?.index ?? -1;
}

/** @returns the offset after the object or array that begins at `start`; -1 if its closing bracket is missing */
function closingOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i += 1) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}
