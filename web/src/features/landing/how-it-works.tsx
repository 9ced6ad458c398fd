import { LayoutGrid, RefreshCw, SlidersHorizontal, type LucideIcon } from 'lucide-react';
import { useToolPages } from '../../shared/tools/tool-pages';
import { numberWord } from './number-word';
import { Section } from './section';
import { useEntranceAnimation } from './use-entrance-animation';

const stepsFor = (toolCount: number): { icon: LucideIcon; title: string; description: string }[] => [
  {
    icon: LayoutGrid,
    title: 'Choose a tool',
    description: `${numberWord(toolCount)} of them, for words, resumes, pictures and PDFs. Each opens with a sample of what it gives.`,
  },
  {
    icon: SlidersHorizontal,
    title: 'Customize the request',
    description:
      'Say what it is about, pick a length, a style or a file. What you typed is kept if you leave.',
  },
  {
    icon: RefreshCw,
    title: 'Generate and refine',
    description: 'Watch it being made. Copy it, download it, or change a word and run it again.',
  },
];

export function HowItWorks() {
  const steps = stepsFor(useToolPages().length);
  const section = useEntranceAnimation<HTMLElement>('li');
  return (
    <Section
      ref={section}
      id="HowItWorks"
      title="How It Works"
      subtitle="Get started in just three simple steps to unlock your creative potential"
    >
      <ol className="grid grid-cols-1 gap-4 md:grid-cols-3 md:gap-6">
        {steps.map(({ icon: Icon, title, description }, index) => (
          <li key={title} className="panel p-7 sm:p-8">
            <span aria-hidden="true" className="flex items-start justify-between">
              <Icon className="size-6" strokeWidth={1.5} />
              <span className="display text-6xl leading-none text-[var(--tick)]">{index + 1}</span>
            </span>
            <h3 className="mt-8 text-2xl">{title}</h3>
            <p className="mt-3 text-quiet">{description}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
