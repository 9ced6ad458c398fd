import type { Attributes, SpanOptions, Tracer, TraceSpan } from './tracer.js';

let tracer: Tracer | undefined;

const noSpan: TraceSpan = { rename: () => undefined, set: () => undefined, fail: () => undefined };

/**
 * Enables tracing in this process. Without an endpoint OpenTelemetry is not loaded, and each span costs one comparison.
 * @param endpoint the URL of an OTLP/HTTP collector; null disables tracing
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

/** Runs a span, in a new trace if none is active. */
export const inSpan = <T>(name: string, options: SpanOptions, run: (span: TraceSpan) => T): T =>
  tracer ? tracer.span(name, options, run) : run(noSpan);

/** Runs a span if a trace is active. A trace of a single statement, for example, would be useless. */
export const inChildSpan = <T>(name: string, options: SpanOptions, run: (span: TraceSpan) => T): T =>
  tracer?.active() ? tracer.span(name, options, run) : run(noSpan);

/** The active span, for another process; undefined without tracing. */
export const activeTrace = () => tracer?.active();

export const setSpanAttributes = (attributes: Attributes): void => tracer?.set(attributes);
