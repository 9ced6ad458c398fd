import sharp from 'sharp';
import { z } from 'zod';
import type { AiConfig, OpenAiConfig } from '#libs/config/environment.js';
import { EngineError, type ImageOperation } from '#libs/contract/engine.js';
import { completeJson } from './complete-json.js';
import type { AiProvider } from './engine.js';
import { createModeration } from './moderation.js';
import { createOpenAiProvider } from './openai-provider.js';

export type Ability = 'text' | 'stream' | 'json' | 'moderation' | ImageOperation;

export interface Finding {
  ability: Ability;
  works: boolean;
  /** What was seen, or the error. */
  detail: string;
  /** Parameters that the service refused and that are left out of its requests. */
  leftOut: string[];
}

/** A text that is long enough to come in pieces. */
const COUNT = 'Write the numbers from one to twenty in words, one a line, and nothing else.';
const SIZE = '1024x1024';
const EDGE = 1_024;

/**
 * Calls an AI service once for each ability that tools need, as they call it. Text costs some hundred tokens, and the service
 * charges for two pictures.
 */
export async function examineService(config: OpenAiConfig, signal: AbortSignal): Promise<Finding[]> {
  const provider = createOpenAiProvider({ ...config, partialImages: 0 });
  const findings: Finding[] = [];
  const examine = async (ability: Ability, call: () => Promise<string>) =>
    void findings.push(await tryAbility(ability, call));

  let pieces = 0;
  await examine('text', async () => {
    const text = await readChat(provider, signal, () => (pieces += 1));
    return `answers, ${text.length} characters`;
  });
  const [text] = findings;
  findings.push({
    ability: 'stream',
    works: pieces > 1,
    detail: pieces > 1 ? `${pieces} pieces` : text!.works ? 'the whole answer comes at once' : 'without text',
    leftOut: [],
  });
  if (!text!.works) return findings;
  await examine('json', async () => {
    const schema = z.object({ word: z.string() });
    const request = { instructions: 'You name an animal.', material: 'An animal.', name: 'animal', schema };
    const { word } = await completeJson(provider, request, signal);
    return `answers with the schema: “${word.slice(0, 40)}”`;
  });
  await examine('generate', async () =>
    describePicture(await provider.generateImage({ prompt: 'A red square on white.', size: SIZE }, signal)),
  );
  await examine('edit', async () => {
    const [image, mask] = await Promise.all([filled('#ffffff'), filled('#00000000')]);
    return describePicture(
      await provider.editImage({ prompt: 'A red square on white.', size: SIZE, image, mask }, signal),
    );
  });
  return findings;
}

/** Asks the moderation model about a white picture. Null if none is configured. */
export async function examineModeration(config: AiConfig, signal: AbortSignal): Promise<Finding | null> {
  const moderation = await createModeration(config, { breakerChanged: ignore, called: ignore });
  if (!moderation) return null;
  const image = { bytes: await filled('#ffffff'), mediaType: 'image/png' as const };
  return tryAbility('moderation', async () => {
    const isFlagged = await moderation.moderate({ text: 'A white square.', image }, signal);
    return isFlagged ? 'answers, and refuses a white square' : 'answers';
  });
}

const ignore = () => undefined;

async function tryAbility(ability: Ability, call: () => Promise<string>): Promise<Finding> {
  const requests = recordRequests();
  try {
    const detail = await call();
    return { ability, works: true, detail, leftOut: requests.leftOut() };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { ability, works: false, detail: error.message, leftOut: requests.leftOut() };
  } finally {
    requests.stop();
  }
}

async function readChat(provider: AiProvider, signal: AbortSignal, onPiece: () => void): Promise<string> {
  let text = '';
  for await (const piece of provider.streamChat({ messages: [{ role: 'user', content: COUNT }] }, signal)) {
    onPiece();
    text += piece;
  }
  return text;
}

async function describePicture(picture: Buffer): Promise<string> {
  const { format, width, height } = await sharp(picture).metadata();
  return `a picture of ${width} × ${height}, ${format.toUpperCase()}`;
}

const filled = (background: string) =>
  sharp({ create: { width: EDGE, height: EDGE, channels: 4, background } })
    .png()
    .toBuffer();

/** Records the names of the parameters of requests, and which of these the endpoint refused that answered at last. */
function recordRequests() {
  const original = globalThis.fetch;
  const requests: { address: string; names: string[]; isAccepted: boolean }[] = [];
  globalThis.fetch = async (url, init) => {
    const response = await original(url, init);
    const address = url instanceof Request ? url.url : String(url);
    requests.push({ address, names: parametersOf(init?.body), isAccepted: response.ok });
    return response;
  };
  return {
    leftOut: () => {
      const last = requests.findLast(({ isAccepted }) => isAccepted);
      const sent = requests.filter(({ address }) => address === last?.address);
      const accepted = sent.flatMap(({ isAccepted, names }) => (isAccepted ? names : []));
      return [...new Set(sent.flatMap(({ names }) => names))].filter((name) => !accepted.includes(name));
    },
    stop: () => (globalThis.fetch = original),
  };
}

function parametersOf(body: unknown): string[] {
  if (body instanceof FormData) return [...body.keys()];
  if (typeof body !== 'string') return [];
  const { messages, ...parameters } = JSON.parse(body) as { messages?: { role: string }[] };
  const roles = messages?.some(({ role }) => role === 'system') ? ['role system'] : [];
  return [...Object.keys(parameters), ...roles];
}
