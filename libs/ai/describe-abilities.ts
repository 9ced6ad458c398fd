import { APIError } from 'openai';
import { engineFor, imageOperationOf, type ToolEngines } from '#libs/config/engines.js';
import type { AiConfig, OpenAiConfig } from '#libs/config/environment.js';
import type { ImageOperation } from '#libs/contract/engine.js';
import { toolNames, tools } from '#libs/tools/catalogue.js';
import { isPage, parseJson } from './error-body.js';
import { toEngineError } from './openai-errors.js';
import { createClient } from './openai-provider.js';

const TIMEOUT_MS = 10_000;
const NOT_CALLED = 'not called, since a call costs: `npm run doctor` calls it';
/** Statuses of services without a list of models. */
const WITHOUT_LIST = [404, 405, 501];

type Configuration = ToolEngines & { ai: AiConfig | null };

/**
 * Describes what the configured AI services can do, one line for each ability, as far as it is known without a call that costs.
 * @param lacking image operations that no service has, see `findImageSupport`
 */
export async function describeAbilities(
  config: Configuration,
  lacking: ReadonlySet<ImageOperation>,
): Promise<string[]> {
  if (!config.ai) return ['No AI service is connected: this server does all work itself.'];
  const services = config.ai.fallback ? [config.ai.main, config.ai.fallback] : [config.ai.main];
  return [
    ...(await Promise.all(services.map(describeText))),
    `Streams: ${NOT_CALLED}; without them, the text comes whole.`,
    `JSON: ${NOT_CALLED}; without it, the format is requested in words.`,
    `New pictures: ${describePictures('generate', config, lacking)}`,
    `Changed pictures: ${describePictures('edit', config, lacking)}`,
  ];
}

async function describeText(service: OpenAiConfig): Promise<string> {
  const { textModel } = service;
  const text = `Text of ${service.baseUrl ? new URL(service.baseUrl).host : 'OpenAI'}`;
  try {
    const response = await createClient(service).get('/models', { timeout: TIMEOUT_MS }).asResponse();
    const body = await response.text();
    if (isPage(body)) return `${text}: answers with a web page. An operator needs to check OPENAI_BASE_URL.`;
    const names = namesIn(parseJson(body));
    if (names === null) return `${text}: ${NOT_CALLED}.`;
    if (names.includes(plainName(textModel))) return `${text}: the model ${textModel} is listed.`;
    return `${text}: the model ${textModel} is not listed. \`npm run doctor\` calls it.`;
  } catch (error) {
    const isAnswer = error instanceof APIError && error.status !== undefined;
    if (isAnswer && WITHOUT_LIST.includes(Number(error.status))) return `${text}: ${NOT_CALLED}.`;
    const { message } = toEngineError(error, { apiKey: service.apiKey, answering: false });
    return `${text}: ${isAnswer ? 'refused' : 'no answer'}: ${message}`;
  }
}

/** The names of the models in a list: OpenAI's, the list alone (Together), or Cloudflare's. Null for something else. */
function namesIn(answer: unknown): string[] | null {
  const { data, result } = (answer ?? {}) as Record<string, unknown>;
  const list = [answer, data, result].find(Array.isArray) as unknown[] | undefined;
  if (!list) return null;
  const names = list.flatMap((model) => {
    const { id, name, aliases } = (model ?? {}) as Record<string, unknown>;
    return [id, name, aliases].flat();
  });
  return names.map((name) => plainName(String(name)));
}

/** A name without what may be left out (`models/` of Gemini, `:latest` of Ollama), and without routes of OpenRouter. */
const plainName = (name: string) => name.replace(/^models\/|:(?:latest|nitro|floor|online)$/g, '');

function describePictures(
  operation: ImageOperation,
  config: Configuration,
  lacking: ReadonlySet<ImageOperation>,
): string {
  if (!lacking.has(operation)) return `${NOT_CALLED}.`;
  const titlesOn = (engine: 'openai' | 'offline') =>
    toolNames
      .filter((tool) => imageOperationOf(tool, {}) === operation)
      .filter((tool) => engineFor(tool, {}, config, lacking) === engine)
      .map((tool) => tools[tool].title)
      .join(', ');
  const [failing, onServer] = [titlesOn('openai'), titlesOn('offline')];
  return [
    'the service has none.',
    ...(onServer ? [`Done by this server: ${onServer}.`] : []),
    ...(failing ? [`Fails, since ENGINE_<TOOL> is provider: ${failing}.`] : []),
  ].join(' ');
}
