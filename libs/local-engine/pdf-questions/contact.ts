import data from './contact.json' with { type: 'json' };

/** Ways to contact somebody: words of questions for each, and the form in a text. A phone number is no date or span of years. */
const facts = data.map(({ name, asked, form }) => ({
  name,
  asked: new RegExp(asked, 'giu'),
  form: new RegExp(form, 'iu'),
}));

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
  const fact = facts.find(({ asked }) => question.search(asked) >= 0);
  const named = fact && question.match(fact.asked)?.[0];
  if (!fact || named === undefined) return null;
  const whose = question
    .replace(fact.asked, ' ')
    .replace(/[’']s\b/g, ' ')
    .replace(AROUND, ' ')
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const isExplicit = whose === '' || /number|address/i.test(named);
  if (!isExplicit && whose.includes(' ') && !ASKS_FOR.test(question)) return null;
  return { name: fact.name, form: fact.form, whose, isExplicit };
}
