/** A piece may begin with fewer characters of the text before it by chance. */
const NO_CHANCE_CHARACTERS = 4;

/**
 * Reads the pieces of a streamed text. Each piece of some servers repeats all before it, as those of DashScope without
 * `incremental_output`.
 */
export class PieceReader {
  /** Null until it is known. */
  private repeats: boolean | null = null;
  private last = '';
  private held = '';

  /** @returns the text that is new; that of the first piece comes with the second */
  add(piece: string): string {
    if (piece === '' || this.repeats === false) return piece;
    const { last } = this;
    const isLonger = piece.length > last.length;
    if (this.repeats) {
      if (isLonger) this.last = piece;
      // Not compared: the last character may have been half of one.
      return isLonger ? piece.slice(last.length) : '';
    }
    if (!isLonger || !piece.startsWith(last)) this.repeats = false;
    else if (last.trim().length >= NO_CHANCE_CHARACTERS) this.repeats = true;
    const held = this.held + piece;
    this.last = piece;
    this.held = this.repeats === null ? held : '';
    return { true: piece, false: held, null: '' }[`${this.repeats}`];
  }

  /** The text that is not returned yet. */
  get rest(): string {
    return this.held;
  }
}
