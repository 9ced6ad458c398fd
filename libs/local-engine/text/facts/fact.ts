/** The kinds of facts that a rewriting must keep, literally or in value. */
export const factKinds = ['number', 'name', 'link', 'quotation', 'code'] as const;
export type FactKind = (typeof factKinds)[number];

export interface Fact {
  kind: FactKind;
  /** The normalised fact: equal for "$5 million" and "$5,000,000". */
  key: string;
  /** As written. */
  text: string;
  /**
   * True if it may be an ordinary word: "first", "both", a capital letter at the start of a sentence. It can match a
   * fact of the other text, but counts neither as lost nor as added.
   */
  weak: boolean;
}
