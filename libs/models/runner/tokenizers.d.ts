/** The package's own types import files without an ending, which TypeScript does not find for ES modules. */
declare module '@huggingface/tokenizers' {
  export class Tokenizer {
    /** @param tokenizer the contents of tokenizer.json */
    constructor(tokenizer: object, config: object);
    encode(text: string): { ids: number[] };
  }
}
