/** A wait that can be begun again and again; `signal` aborts when one lasted too long. */
export interface Patience {
  readonly signal: AbortSignal;
  /** Begins a wait of at most `seconds`, in place of the one before. */
  wait(seconds: number): void;
  /** Ends the wait: the other side has answered. */
  rest(): void;
}

export function createPatience(): Patience {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const rest = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    wait(seconds) {
      rest();
      timer = setTimeout(() => controller.abort(), seconds * 1000);
    },
    rest,
  };
}
