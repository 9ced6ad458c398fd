import type { Attributes, SpanOptions, Tracer, TraceSpan } from './tracer.js';

let tracer: Tracer | undefined;

const noSpan: TraceSpan = { rename: () => undefined, set: () => undefined, fail: () => undefined };

/**
 * Switches tracing on for this process. OpenTelemetry is loaded here and nowhere else: without an endpoint it is not
 * loaded, and each span costs one comparison.
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

/** Runs a span, of a new trace where none is active. */
export const inSpan = <T>(name: string, options: SpanOptions, run: (span: TraceSpan) => T): T =>
  tracer ? tracer.span(name, options, run) : run(noSpan);

/** Runs a span where a trace is active: by itself, such as a statement, it would say nothing. */
export const inChildSpan = <T>(name: string, options: SpanOptions, run: (span: TraceSpan) => T): T =>
  tracer?.active() ? tracer.span(name, options, run) : run(noSpan);

/** The active span, for another process; undefined while tracing is off. */
export const activeTrace = () => tracer?.active();

export const setSpanAttributes = (attributes: Attributes): void => tracer?.set(attributes);
