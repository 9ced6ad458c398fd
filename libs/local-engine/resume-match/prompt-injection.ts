const ADDRESSES_MODEL =
  /\b(?:ignore|disregard|forget|override)\b[^.]{0,60}\b(?:instructions?|rules|prompts?|above|previous)\b|\b(?:system|assistant) (?:message|prompt)\b|\b(?:AI|LLM|assistant|chatbot)\s*[:,]\s|\blanguage models?\b[^.]{0,40}\b(?:must|should|please|give|say|write|rate)\b|\b(?:perfect|ideal|best) (?:candidate|match|fit)\b|\bgive (?:a |the )?(?:full )?score\b/i;
const MODEL_WORDS =
  /\b(?:ignore|disregard|instructions?|prompts?|scores?|rating|rate this|system message|assistant|AI|language model)\b/i;

/** True if a text of a resume addresses the model that reads it (prompt injection). */
export const addressesModel = (text: string): boolean => ADDRESSES_MODEL.test(text);

/** {@link addressesModel} for texts that a model chose or wrote, in which single words are enough. */
export const mayAddressModel = (text: string): boolean => MODEL_WORDS.test(text) || addressesModel(text);
