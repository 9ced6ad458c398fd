import type { AiProvider } from '#libs/ai/engine.js';
import type { ToolInput, ToolName, ToolOutput } from './catalogue.js';

/** What a running tool may do besides computing: tell where it is, and stream its text. */
export interface RunContext {
  /** Aborted on cancel, time-out, shutdown, or when another worker took the job over. */
  signal: AbortSignal;
  /** Enters a real step of the work. `percent` (0 to 100) is where the whole job stands; it never goes back. */
  stage(stage: string, message: string, percent: number): void;
  /** Moves the bar within the present stage. */
  percent(percent: number): void;
  /** Streams a piece of the text to the person; pieces are kept in order. */
  text(piece: string): void;
}

/** What a finished run leaves: the row's fields, and the creation for the dashboard. */
export interface ToolOutcome<N extends ToolName> {
  result: ToolOutput<N>;
  creation: { type: string; prompt: string; content: string };
}

/** A tool's work on both engines. Each either returns a whole outcome or throws; it never returns half a text. */
export interface ToolHandler<N extends ToolName> {
  withProvider(input: ToolInput<N>, provider: AiProvider, context: RunContext): Promise<ToolOutcome<N>>;
  offline(input: ToolInput<N>, context: RunContext): Promise<ToolOutcome<N>>;
}
