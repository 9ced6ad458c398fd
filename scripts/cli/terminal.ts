/** The input and output of a command; tests pass their own. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  write(text: string): void;
  writeError(text: string): void;
}
