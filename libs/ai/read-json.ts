/**
 * Finds the JSON value in a model's answer. The value may be in a code fence or between other text, and may have trailing
 * commas or raw line breaks in its texts.
 * @returns undefined if the answer contains no valid JSON, for example because it is cut off
 */
export function readJson(answer: string): unknown {
  for (const candidate of candidates(answer)) {
    for (const text of [candidate, repaired(candidate)]) {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        // Not JSON. Tries the next candidate.
      }
    }
  }
  return undefined;
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

/** Removes commas before closing brackets, and escapes control characters in strings. */
const repaired = (text: string) =>
  text.replace(/("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|,(?=\s*[}\]])/g, (_, string: string | undefined) =>
    (string ?? '').replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1)),
  );
