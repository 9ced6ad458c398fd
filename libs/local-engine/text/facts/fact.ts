/** What a rewriting must keep, word for word or in value. */
export const factKinds = ['number', 'name', 'link', 'quotation', 'code'] as const;
export type FactKind = (typeof factKinds)[number];

/** One fact as it stands in a text. */
export interface Fact {
  kind: FactKind;
  /** What two writings of the same fact have in common: "$5 million" and "$5,000,000". */
  key: string;
  /** As the text has it. */
  text: string;
  /**
   * True for what may be a fact or may be an ordinary word: "first", "both", a capital letter that only begins a
   * sentence. It stands for a fact of another text, but is not missed and not taken for an invention.
   */
  weak: boolean;
}
