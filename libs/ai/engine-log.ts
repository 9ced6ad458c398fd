import { type PinoLogger } from 'nestjs-pino';
import type { EngineError } from '#libs/contract/engine.js';
import {
  breakerOpen,
  providerFirstToken,
  providerSeconds,
  providerTokens,
} from '#libs/observability/metrics.js';
import type { EngineLog } from './create-engine.js';
import type { BreakerState, Engine, ProviderCall } from './engine.js';

export const createEngineLog = (logger: PinoLogger): EngineLog => ({
  called({ operation, model, outcome, seconds, firstTokenSeconds, usage, errorCode }: ProviderCall): void {
    providerSeconds.observe({ operation, model, outcome }, seconds);
    if (firstTokenSeconds !== undefined) providerFirstToken.observe({ model }, firstTokenSeconds);
    if (usage) {
      providerTokens.inc({ operation, model, direction: 'input' }, usage.input);
      providerTokens.inc({ operation, model, direction: 'output' }, usage.output);
    }
    const fields = { operation, model, outcome, errorCode, seconds, firstTokenSeconds, tokens: usage };
    logger.info(fields, `AI service called: ${outcome}`);
  },

  breakerChanged(breaker: BreakerState): void {
    collectBreakers({ breakers: [breaker] });
    const { provider, kind, state } = breaker;
    const fields = { provider, kind, breaker: state };
    if (state === 'open') logger.warn(fields, `Calls of the AI service are held back (${provider}, ${kind})`);
    else
      logger.info(
        fields,
        `The AI service is ${state === 'closed' ? 'back' : 'tried'} (${provider}, ${kind})`,
      );
  },

  askedFallback(error: EngineError): void {
    logger.warn({ err: error }, 'The fallback of the AI service is asked');
  },
});

export function collectBreakers({ breakers }: Pick<Engine, 'breakers'>): void {
  for (const { provider, kind, state } of breakers)
    breakerOpen.set({ provider, kind }, state === 'closed' ? 0 : 1);
}
