import { setImmediate } from 'node:timers/promises';

/** Between two synchronous steps: lets streamed text leave and a cancellation arrive. @throws the signal's reason */
export async function yieldToEventLoop(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
