import { inChildSpan, type WorkSpan } from '#libs/observability/tracing.js';
import { EngineError } from '#libs/contract/engine-error.js';
import type { AiProvider, TokenUsage } from './engine.js';

type Operation = 'chat' | 'generate_image' | 'edit_image';

/** One call of a provider, once it is over. */
export interface ProviderCall {
  operation: Operation;
  model: string;
  /** `passing_error` may pass when it is tried again; `stopped` is our own doing. */
  outcome: 'ok' | 'passing_error' | 'final_error' | 'stopped';
  seconds: number;
  firstTokenSeconds?: number;
  usage?: TokenUsage;
}

/**
 * A provider each of whose calls is told when it is over, and is a step of the trace that it is part of. Neither what
 * was asked nor what was answered is told.
 */
export function observeProvider(
  provider: AiProvider,
  imageModel: string,
  publish: (call: ProviderCall) => void,
): AiProvider {
  const imageCall = async <R extends object>(
    operation: Operation,
    request: R,
    signal: AbortSignal,
    ask: (request: R & { onUsage: (usage: TokenUsage) => void }) => Promise<Buffer>,
  ): Promise<Buffer> => {
    const call = begin(operation, imageModel, publish);
    try {
      const picture = await ask({ ...request, onUsage: call.count });
      call.end('ok');
      return picture;
    } catch (error) {
      call.end(outcomeOf(error, signal), error);
      throw error;
    }
  };

  return {
    name: provider.name,
    textModel: provider.textModel,
    async *streamChat(request, signal) {
      const call = begin('chat', provider.textModel, publish);
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
        // Who reads may leave before the end; anything else has been told above.
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

/** A call under way. It ends once, however often it is told to. */
function begin(operation: Operation, model: string, publish: (call: ProviderCall) => void) {
  const startedAt = performance.now();
  const since = () => (performance.now() - startedAt) / 1000;
  const { promise: over, resolve: close } = Promise.withResolvers<void>();
  let span: WorkSpan | undefined;
  let usage: TokenUsage | undefined;
  let firstTokenSeconds: number | undefined;
  let isOver = false;
  const attributes = { 'gen_ai.operation.name': operation, 'gen_ai.request.model': model };
  void inChildSpan(`${operation} ${model}`, { kind: 'client', attributes }, (own) => {
    span = own;
    return over;
  });
  return {
    count: (counted: TokenUsage) => void (usage = counted),
    answered: () => void (firstTokenSeconds ??= since()),
    end(outcome: ProviderCall['outcome'], error?: unknown) {
      if (isOver) return;
      isOver = true;
      publish({ operation, model, outcome, seconds: since(), firstTokenSeconds, usage });
      span?.set({
        'pressroom.outcome': outcome,
        'gen_ai.usage.input_tokens': usage?.input,
        'gen_ai.usage.output_tokens': usage?.output,
      });
      if (error !== undefined) span?.fail(error);
      close();
    },
  };
}
