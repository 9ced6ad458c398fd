const minor = new Set(
  'a an the and or but nor for so yet as at by in of off on per to up via vs from into with over'.split(' '),
);

/** Acronyms with their usual case, by lower case. */
const acronyms = new Map(
  `AI API AR AWS B2B B2C CBT CEO CPU CRM CRISPR CSS CTO DIY DNA ERP ESL EV EVs GDPR GPS GPT GPU HIIT HR HTML HTTP IoT KPI
  LED LLM LLMs ML NASA NFT NFTs NGO NLP PDF PHP PR PTSD RPA SaaS SEO SEM SMS SQL STEM SUV TV UI UK URL USA USB UX VPN VR
  WiFi WordPress YouTube LinkedIn TikTok PayPal eBay iPhone iPad iOS macOS JavaScript TypeScript GitHub DevOps ChatGPT`
    .split(/\s+/)
    .map((word) => [word.toLowerCase(), word]),
);

/** English title case. Words with capitals stay unchanged. */
export function titleCase(keyword: string): string {
  const words = keyword.split(' ');
  return words.map((word, index) => caseOf(word, index === 0 || index === words.length - 1)).join(' ');
}

function caseOf(word: string, atEdge: boolean): string {
  if (word !== word.toLowerCase()) return word;
  const acronym = acronyms.get(word.replace(/[?!]$/, ''));
  if (acronym) return acronym + word.slice(acronym.length);
  if (minor.has(word) && !atEdge) return word;
  return word
    .split('-')
    .map((part, index) =>
      index > 0 && minor.has(part) ? part : part.charAt(0).toUpperCase() + part.slice(1),
    )
    .join('-');
}

/** The keyword with "a" or "an", by its pronunciation. */
export function withArticle(keyword: string): string {
  const first = keyword.split(' ')[0] ?? keyword;
  const spelled = /^[A-Z0-9]{2,}s?$/.test(first) && /^[AEFHILMNORSX8]/.test(first);
  const vowel = /^[aeiou]/i.test(first) && !/^(?:uni(?!n)|use|usu|eu|one\b|once)/i.test(first);
  const mute = /^(?:hour|honest|honou?r|heir)/i.test(first);
  const acronym = /^[A-Z0-9]{2,}s?$/.test(first) && !/[AEIOU].*[^AEIOU].*[AEIOU]/.test(first);
  return `${(acronym ? spelled : vowel || mute) ? 'an' : 'a'} ${keyword}`;
}
