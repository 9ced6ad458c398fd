import { setImmediate } from 'node:timers/promises';

/** Call between two synchronous steps to let streamed text be sent and a cancellation arrive. @throws the signal's reason */
export async function yieldToEventLoop(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
