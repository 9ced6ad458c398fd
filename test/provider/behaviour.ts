import type { Drawing } from './images.ts';

/** The fake provider's answer to one request. The default is a whole article, at once, that ends with `stop`. */
export interface Behaviour extends Drawing {
  /** Refuse with this HTTP status instead of answering. */
  status?: number;
  /** Headers of a refusal, such as `retry-after`. */
  headers?: Record<string, string>;
  /** `code` of a refusal's error object. */
  code?: string;
  /** Answer with this text instead of an article. */
  text?: string;
  /** Length of the article, in words. */
  words?: number;
  /** Milliseconds between two pieces of a stream. */
  paceMs?: number;
  /** Break the connection after half of the pieces. */
  cut?: boolean;
  /** Stop answering for good: before the headers, before the first token, or after half of the pieces. */
  hang?: 'headers' | 'first-token' | 'stream';
  /** Wait this many times on the way through a stream, evenly spread, until the test lets go on. */
  stops?: number;
  /** Why the answer ends; `null` ends the stream without a reason. */
  finish?: string | null;
  /** True to end the stream without `[DONE]`. */
  isUnfinished?: boolean;
  /** Send an error object in mid-stream, as servers do that fail after they answered 200. */
  errorInStream?: boolean;
  /** Answer 200 with what no client of the protocol can read. */
  garbage?: boolean;
  /** Send pieces until the client breaks off. */
  endless?: boolean;
  /** Answer each repetition of a prompt with another text. */
  vary?: boolean;
  /** Refuse to stream pictures with 400, or ignore the parameter. */
  partials?: 'refuse' | 'ignore';
  /** Send this many pieces of `reasoning_content` before the text. */
  reasoning?: number;
  /** Flag what is moderated. */
  flags?: boolean;
  /** Answer with a picture's address instead of its bytes: on this server, as `data:`, elsewhere, or a redirect. */
  address?: 'here' | 'data' | 'elsewhere' | 'redirect';
}

const SLOW_PACE_MS = 250;
const refusals = new Set([400, 401, 403, 404, 408, 429, 500, 502, 503]);

/**
 * Reads the markers that steer the fake provider from a prompt, so that a browser can choose its behaviour:
 * `[[words:1200]]`, `[[pace:20]]` (ms), `[[slow]]`, `[[stop]]` (or `:2`, that often), `[[cut]]`, `[[hang]]` (or `:headers`, `:stream`), `[[empty]]`,
 * `[[length]]`, `[[content_filter]]`, `[[unfinished]]`, `[[reasoning]]`, `[[retry-after:2]]` (s), `[[broken]]` (an
 * error in mid-stream), `[[garbage]]`, `[[endless]]` and any refusing status. For moderation also `[[flag]]`. For pictures also `[[partials:refuse]]` (or `:ignore`), `[[shape:512x512]]`, `[[opaque]]`, `[[redraw]]` and
 * `[[address:here]]` (or `:data`, `:elsewhere`, `:redirect`). `[[429:2]]`, `[[500:1]]`, `[[cut:1]]` and `[[broken:1]]` hold for
 * that many requests with this prompt; without a number they hold for all.
 * @param seen how many requests with this same prompt came before
 */
export function behaviourFromMarkers(prompt: string, seen: number): Behaviour {
  const behaviour: Behaviour = {};
  for (const [, name = '', value] of prompt.matchAll(/\[\[([a-z0-9_-]+)(?::([a-z0-9.-]+))?\]\]/gi)) {
    const number = value === undefined ? Infinity : Number(value);
    const holds = seen < number;
    if (refusals.has(Number(name))) {
      if (holds) behaviour.status ??= Number(name);
      continue;
    }
    if (name === 'words') behaviour.words = number;
    if (name === 'pace') behaviour.paceMs = number;
    if (name === 'stop') behaviour.stops = value === undefined ? 1 : number;
    if (name === 'slow') behaviour.paceMs = SLOW_PACE_MS;
    if (name === 'cut' && holds) behaviour.cut = true;
    if (name === 'broken' && holds) behaviour.errorInStream = true;
    if (name === 'garbage' && holds) behaviour.garbage = true;
    if (name === 'flag') behaviour.flags = true;
    if (name === 'endless') behaviour.endless = true;
    if (name === 'hang') behaviour.hang = value === 'headers' || value === 'stream' ? value : 'first-token';
    if (name === 'empty') behaviour.text = '';
    if (name === 'length' || name === 'content_filter') behaviour.finish = name;
    if (name === 'unfinished') Object.assign(behaviour, { finish: null, isUnfinished: true });
    if (name === 'reasoning') behaviour.reasoning = Number.isFinite(number) ? number : 3;
    if (name === 'shape') behaviour.shape = value;
    if (name === 'partials') behaviour.partials = value as Behaviour['partials'];
    if (name === 'opaque') behaviour.opaque = true;
    if (name === 'redraw') behaviour.redraw = true;
    if (name === 'address') behaviour.address = value as Behaviour['address'];
    if (name === 'retry-after' && value) behaviour.headers = { 'retry-after': value };
  }
  return behaviour;
}

/** The prompt without its markers. */
export const withoutMarkers = (prompt: string) => prompt.replace(/\[\[[^\]]*\]\]/g, '').trim();
