import { withoutMarkers } from './behaviour.ts';

interface Message {
  role: string;
  content: string;
}

/** What a willing model answers to the tools that ask for a form of their own; null for those that want an article. */
export function answerInForm(messages: Message[]): string | null {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (system.startsWith('You suggest titles')) return titlesFor(withoutMarkers(prompt));
  // Every part as it was: all facts come through.
  if (/<part[\w-]* n="1">/.test(system))
    return prompt.match(/<(part[\w-]*) n="\d+">[^]*?<\/\1>/g)?.join('\n\n') ?? '';
  return null;
}

const titlesFor = (keyword: string) =>
  Array.from({ length: 12 }, (_, index) => `${index + 1}. View ${index + 1} of ${keyword.slice(0, 60)}`).join(
    '\n',
  );
