import type { TraceSpan } from '#libs/observability/tracer.js';
import { inChildSpan } from '#libs/observability/tracing.js';
import { EngineError } from '#libs/contract/engine.js';
import type { AiProvider, TokenUsage } from './engine.js';

type Operation = 'chat' | 'generate_image' | 'edit_image';

export interface ProviderCall {
  operation: Operation;
  model: string;
  /** `passing_error`: retryable. `final_error`: not retryable. `stopped`: this server aborted the call. */
  outcome: 'ok' | 'passing_error' | 'final_error' | 'stopped';
  seconds: number;
  firstTokenSeconds?: number;
  usage?: TokenUsage;
}

/** Calls `onCall` for each finished call and adds a span to the trace. Neither contains prompts or answers. */
export function observeProvider(provider: AiProvider, onCall: (call: ProviderCall) => void): AiProvider {
  const imageCall = async <R extends object>(
    operation: Operation,
    request: R,
    signal: AbortSignal,
    ask: (request: R & { onUsage: (usage: TokenUsage) => void }) => Promise<Buffer>,
  ): Promise<Buffer> => {
    const call = startCall(operation, provider.imageModel, onCall);
    try {
      const image = await ask({ ...request, onUsage: call.count });
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
      const call = startCall('chat', provider.textModel, onCall);
      try {
        for await (const piece of provider.streamChat({ ...request, onUsage: call.count }, signal)) {
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

function outcomeOf(error: unknown, signal: AbortSignal): ProviderCall['outcome'] {
  if (signal.aborted) return 'stopped';
  return error instanceof EngineError && !error.retryable ? 'final_error' : 'passing_error';
}

/** Starts to measure a call. The caller must call `end`; further calls of `end` have no effect. */
function startCall(operation: Operation, model: string, onCall: (call: ProviderCall) => void) {
  const startedAt = performance.now();
  const elapsedSeconds = () => (performance.now() - startedAt) / 1000;
  const { promise: ended, resolve: endSpan } = Promise.withResolvers<void>();
  let span: TraceSpan | undefined;
  let usage: TokenUsage | undefined;
  let firstTokenSeconds: number | undefined;
  let hasEnded = false;
  const attributes = { 'gen_ai.operation.name': operation, 'gen_ai.request.model': model };
  void inChildSpan(`${operation} ${model}`, { kind: 'client', attributes }, (own) => {
    span = own;
    return ended;
  });
  return {
    count: (counted: TokenUsage) => void (usage = counted),
    answered: () => void (firstTokenSeconds ??= elapsedSeconds()),
    end(outcome: ProviderCall['outcome'], error?: unknown) {
      if (hasEnded) return;
      hasEnded = true;
      onCall({ operation, model, outcome, seconds: elapsedSeconds(), firstTokenSeconds, usage });
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
