/**
 * The JSON value in a model's answer, which may be in a code fence, between remarks, or have trailing commas. Undefined for
 * an answer without JSON, or with JSON that is cut or otherwise broken.
 */
export function readJson(answer: string): unknown {
  for (const candidate of candidates(answer)) {
    for (const text of [candidate, withoutTrailingCommas(candidate)]) {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        // The next candidate may parse.
      }
    }
  }
  return undefined;
}

/** Opening brackets for which the whole answer is searched for the closing one. */
const MAX_UNCLOSED = 50;

/** Texts that may be the value: the whole answer, the contents of fences, then each balanced object or array. */
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

/** The end of the object or array that begins at `start`; -1 if it is not closed. */
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

/** The text without commas before closing brackets, except inside of strings. */
const withoutTrailingCommas = (text: string) =>
  text.replace(
    /("(?:[^"\\]|\\.)*(?:"|\\?$))|,(?=\s*[}\]])/g,
    (_, string: string | undefined) => string ?? '',
  );
