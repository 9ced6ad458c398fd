/**
 * Finds the JSON value in a model's answer.
 * @returns undefined if the answer contains no valid JSON, for example because it is cut off
 */
export const readJson = (answer: string): unknown => readJsonValues(answer).next().value;

/**
 * Finds the JSON values in a model's answer, which may be in code fences or between other text, and may have trailing commas,
 * raw line breaks in their texts, or the literals of Python.
 */
export function* readJsonValues(answer: string): Generator<unknown, undefined> {
  for (const candidate of candidates(answer)) {
    for (const text of [candidate, repaired(candidate)]) {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        continue;
      }
      yield value;
      break;
    }
  }
}

/** Gives up after this many brackets without a closing bracket, because each search reads the whole rest of the answer. */
const MAX_UNCLOSED = 50;

/**
 * Yields texts that may be the JSON value: the whole answer, the contents of code fences, then each balanced object or
 * array.
 */
function* candidates(answer: string): Generator<string> {
  yield answer.trim();
  for (const [, inside = ''] of answer.matchAll(/```[a-z0-9]{0,20}([\s\S]*?)```/gi)) yield inside.trim();
  let unclosed = 0;
  for (let start = nextOpening(answer, 0); start >= 0 && unclosed < MAX_UNCLOSED;) {
    const end = closingOf(answer, start);
    if (end > 0) yield answer.slice(start, end);
    else unclosed += 1;
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

const OF_PYTHON: Record<string, string> = { True: 'true', False: 'false', None: 'null' };

/** Removes commas before closing brackets, escapes control characters in strings, and replaces literals of Python. */
const repaired = (text: string) =>
  text.replace(
    /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|\b(True|False|None)\b|,(?=\s*[}\]])/g,
    (_, string: string | undefined, literal: string | undefined) =>
      literal === undefined
        ? (string ?? '').replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))
        : OF_PYTHON[literal]!,
  );
