/** A piece may begin with fewer characters of the text before it by chance. */
const NO_CHANCE_CHARACTERS = 4;
/** A piece with as many characters is not sent twice by chance. */
const WHOLE_CHARACTERS = 20;

/**
 * Reads the pieces of a streamed text. Each piece of some servers repeats all before it, as those of DashScope without
 * `incremental_output`.
 */
export class PieceReader {
  /** Null until two pieces tell. */
  private repeats: boolean | null = null;
  private last = '';
  private held = '';
  /** What came again, once: the whole text at the end, or a piece that the text repeats. */
  private again = '';

  /** @returns the text that is new; that of the first piece comes with the second */
  add(piece: string): string {
    if (piece === '' || this.repeats === false) return piece;
    const { last } = this;
    const isLonger = piece.length > last.length;
    if (this.repeats) {
      // The last character may have been half of one.
      if (piece.startsWith(last.slice(0, -1))) {
        this.last = piece;
        return piece.slice(last.length);
      }
      if (last.startsWith(piece)) return '';
      this.repeats = false;
      return piece;
    }
    // The whole text, which some servers send again at the end.
    if (piece === last && last.length >= WHOLE_CHARACTERS && this.again === '') {
      this.again = piece;
      return '';
    }
    if (!isLonger || !piece.startsWith(last)) this.repeats = false;
    else if (last.trim().length >= NO_CHANCE_CHARACTERS) this.repeats = true;
    const held = this.held + this.again + piece;
    this.last = piece;
    this.held = this.repeats === null ? held : '';
    if (this.repeats === null) return '';
    return this.repeats ? piece : held;
  }

  /** The text that is not returned yet. */
  get rest(): string {
    return this.held;
  }
}
