/** A way to contact somebody, which `form` recognises in a text. */
interface ContactFact {
  name: string;
  asked: RegExp;
  form: RegExp;
}

const facts: ContactFact[] = [
  {
    name: 'email address',
    asked: /\be-?mails?\b(?:\s+address(?:es)?)?|\bmail address\b|\bcorreo\b|\bcourriel\b/iu,
    form: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,190}\.\p{L}{2,}/u,
  },
  {
    name: 'phone number',
    asked:
      /\b(?:tele)?phones?\b(?:\s+numbers?)?|\b(?:mobile|cell(?:phone)?|contact|hotline|fax)\s+numbers?\b|\bnumber (?:to|can i|do i|should i) (?:call|dial|ring)\b|\b(?:call|ring|dial)\s+(?:him|her|them|you|us)\b|\bhow (?:can|could|do|should|may) (?:i|we|one) (?:call|ring|dial|phone)\b|\btelefon(?:nummer)?\b|\bteléfono\b|\btéléphone\b/iu,
    // At least seven digits, and neither a date nor a span of years.
    form: /(?<![\d.,/-])(?!\d{4}\s?[-–]\s?\d{4}\b)(?!\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b)(?:\+|\(|0|\d)(?:[\s().\-–/]{0,2}\d){6,14}(?![\d/])/u,
  },
  {
    name: 'web address',
    asked:
      /\b(?:web\s?sites?|home\s?pages?|web address|urls?|linkedin|github|gitlab|portfolio (?:link|site|url))\b/iu,
    form: /\b(?:https?:\/\/|www\.)\S{3,}|\b(?:[a-z0-9-]{1,63}\.){1,5}(?:com|org|net|io|dev|eu|de|fr|es|uk|co|ch|at|info)\b(?:\/\S*)?/iu,
  },
];

/** Words around the fact that do not say whose it is. */
const AROUND =
  /\b(?:what|what's|whats|which|where|who|how|is|are|was|the|a|an|of|for|to|at|in|on|do|does|can|could|may|i|we|you|me|my|this|that|it|its|he|she|they|his|her|hers|their|your|him|them|there|have|has|give|tell|find|show|please|contact|reach|call|number|address|details|page|profile|link|account|person|candidate|applicant|author|someone|somebody|any|document|file|pdf|resume|cv|by|get|s)\b/giu;

/** The beginning of a question for a fact; a question about a telephone begins otherwise. */
const ASKS_FOR = /^\s*(?:what|which|whats|give|tell|find|show)\b/iu;

export interface ContactQuestion {
  name: string;
  form: RegExp;
  /** The rest of the question, which says whose fact it is; may be empty. */
  whose: string;
  /** True when the question certainly asks for the fact, unlike "Does the phone have a headphone jack?". */
  isExplicit: boolean;
}

/** The contact fact that a question asks for; null for other questions. */
export function parseContactQuestion(question: string): ContactQuestion | null {
  if (question.length > 160) return null;
  const fact = facts.find(({ asked }) => asked.test(question));
  const named = fact?.asked.exec(question)?.[0];
  if (!fact || named === undefined) return null;
  const whose = question
    .replace(new RegExp(fact.asked, 'giu'), ' ')
    .replace(/[’']s\b/g, ' ')
    .replace(AROUND, ' ')
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const isExplicit = whose === '' || /number|address/i.test(named);
  if (!isExplicit && whose.includes(' ') && !ASKS_FOR.test(question)) return null;
  return { name: fact.name, form: fact.form, whose, isExplicit };
}
