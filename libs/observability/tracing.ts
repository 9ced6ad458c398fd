import type { Attributes, SpanOptions, TraceParent, Tracer, WorkSpan } from './tracer.js';

let tracer: Tracer | undefined;

const unseen: WorkSpan = { rename: () => undefined, set: () => undefined, fail: () => undefined };

/**
 * Switches tracing on for this process. OpenTelemetry is loaded here and nowhere else: without an endpoint nothing of
 * it is, and each step costs one comparison.
 * @param endpoint where an OTLP/HTTP collector listens; null leaves tracing off
 */
export async function startTracing(service: string, endpoint: string | null): Promise<void> {
  if (endpoint === null || tracer) return;
  const { createTracer } = await import('./open-telemetry.js');
  tracer = createTracer(service, endpoint);
}

export async function stopTracing(): Promise<void> {
  const stopped = tracer;
  tracer = undefined;
  await stopped?.close();
}

/** A step of a trace, which begins one where there is none. */
export const inSpan = <T>(name: string, options: SpanOptions, work: (span: WorkSpan) => T): T =>
  tracer ? tracer.span(name, options, work) : work(unseen);

/** A step that is told only as part of a trace, such as a statement: by itself it says nothing. */
export const inChildSpan = <T>(name: string, options: SpanOptions, work: (span: WorkSpan) => T): T =>
  tracer?.active() ? tracer.span(name, options, work) : work(unseen);

/** The active step, to be handed on; undefined while tracing is off. */
export const activeTrace = () => tracer?.active();

/** Adds what became known to the active step. */
export const noteInTrace = (attributes: Attributes): void => tracer?.note(attributes);
