import { randomUUID } from 'node:crypto';
import type { TraceSpan } from '#libs/observability/tracer.js';
import { inChildSpan } from '#libs/observability/tracing.js';
import { EngineError, type CallOperation, type ProviderRole } from '#libs/contract/engine.js';
import type {
  AiProvider,
  BilledResponse,
  CallListener,
  Moderate,
  ProviderCall,
  TokenUsage,
} from './engine.js';

/**
 * Reports each call to `onCall` when it has ended, and to the listener of its request, and adds a span to the trace. None
 * contains prompts or answers.
 */
export function observeProvider(
  provider: AiProvider,
  role: ProviderRole,
  onCall: (call: ProviderCall) => void,
): AiProvider {
  const start = (operation: CallOperation, model: string, calls: CallListener | undefined) =>
    startCall({ operation, model, provider: role }, { onCall, calls });

  const imageCall = async <R extends { calls?: CallListener }>(
    operation: CallOperation,
    request: R,
    signal: AbortSignal,
    ask: (request: R & { onResponse: (response: BilledResponse) => void }) => Promise<Buffer>,
  ): Promise<Buffer> => {
    const call = start(operation, provider.imageModel, request.calls);
    try {
      const image = await ask({ ...request, onResponse: call.count });
      call.end('ok');
      return image;
    } catch (error) {
      call.end(outcomeOf(error, signal), error);
      throw error;
    }
  };

  return {
    name: provider.name,
    textModel: provider.textModel,
    imageModel: provider.imageModel,
    async *streamChat(request, signal) {
      const call = start('chat', provider.textModel, request.calls);
      try {
        for await (const piece of provider.streamChat({ ...request, onResponse: call.count }, signal)) {
          call.answered();
          yield piece;
        }
        call.end('ok');
      } catch (error) {
        call.end(outcomeOf(error, signal), error);
        throw error;
      } finally {
        // Only has an effect if the consumer stopped reading early; otherwise the call has already ended.
        call.end('stopped');
      }
    },
    generateImage: (request, signal) =>
      imageCall('generate_image', request, signal, (asked) => provider.generateImage(asked, signal)),
    editImage: (request, signal) =>
      imageCall('edit_image', request, signal, (asked) => provider.editImage(asked, signal)),
  };
}

/** Like {@link observeProvider}, for calls of a moderation model. */
export const observeModeration =
  (moderate: Moderate, model: string, onCall: (call: ProviderCall) => void): Moderate =>
  async (request, signal) => {
    const call = startCall(
      { operation: 'moderate', model, provider: 'main' },
      { onCall, calls: request.calls },
    );
    try {
      const answer = await moderate({ ...request, onResponse: call.count }, signal);
      call.end('ok');
      return answer;
    } catch (error) {
      call.end(outcomeOf(error, signal), error);
      throw error;
    }
  };

function outcomeOf(error: unknown, signal: AbortSignal): ProviderCall['outcome'] {
  if (signal.aborted) return 'stopped';
  return error instanceof EngineError && !error.retryable ? 'final_error' : 'passing_error';
}

const errorCodeOf = (error: unknown): string =>
  error instanceof EngineError ? (error.providerCode ?? error.scope) : 'unknown';

/** Starts to measure a call. The caller must call `end`; further calls of `end` have no effect. */
function startCall(
  { operation, model, provider }: Pick<ProviderCall, 'operation' | 'model' | 'provider'>,
  { onCall, calls }: { onCall: (call: ProviderCall) => void; calls: CallListener | undefined },
) {
  const begun = { id: randomUUID(), operation, model, provider, startedAt: new Date() };
  const startedAt = performance.now();
  const elapsedSeconds = () => (performance.now() - startedAt) / 1000;
  const { promise: ended, resolve: endSpan } = Promise.withResolvers<void>();
  let span: TraceSpan | undefined;
  let firstTokenSeconds: number | undefined;
  let hasEnded = false;
  const responses: BilledResponse[] = [];
  const attributes = { 'gen_ai.operation.name': operation, 'gen_ai.request.model': model };
  calls?.started(begun);
  void inChildSpan(`${operation} ${model}`, { kind: 'client', attributes }, (own) => {
    span = own;
    return ended;
  });
  return {
    count: (response: BilledResponse) => void responses.push(response),
    answered: () => void (firstTokenSeconds ??= elapsedSeconds()),
    end(outcome: ProviderCall['outcome'], error?: unknown) {
      if (hasEnded) return;
      hasEnded = true;
      const usage = sumOf(responses);
      const errorCode = error === undefined || outcome === 'stopped' ? undefined : errorCodeOf(error);
      const call = { ...begun, outcome, seconds: elapsedSeconds(), firstTokenSeconds, usage, responses };
      const reported: ProviderCall = { ...call, ...(errorCode !== undefined && { errorCode }) };
      onCall(reported);
      calls?.ended(reported);
      span?.set({
        'pressroom.outcome': outcome,
        'gen_ai.usage.input_tokens': usage?.input,
        'gen_ai.usage.output_tokens': usage?.output,
      });
      if (error !== undefined) span?.fail(error);
      endSpan();
    },
  };
}

function sumOf(responses: BilledResponse[]): TokenUsage | undefined {
  const usages = responses.flatMap(({ usage }) => (usage ? [usage] : []));
  if (usages.length === 0) return undefined;
  return {
    input: usages.reduce((sum, { input }) => sum + input, 0),
    output: usages.reduce((sum, { output }) => sum + output, 0),
  };
}
