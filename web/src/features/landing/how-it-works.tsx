import { LayoutGrid, RefreshCw, SlidersHorizontal, type LucideIcon } from 'lucide-react';
import { useToolPages } from '../../shared/tools/tool-pages';
import { numberWord } from './number-word';
import { Section } from './section';
import { useEntranceAnimation } from './use-entrance-animation';

const stepsFor = (toolCount: number): { icon: LucideIcon; title: string; description: string }[] => [
  {
    icon: LayoutGrid,
    title: 'Choose a tool',
    description: `${numberWord(toolCount)} tools for text, resumes, images and PDFs. Each shows a sample of its results.`,
  },
  {
    icon: SlidersHorizontal,
    title: 'Customize the request',
    description: 'Enter a topic, pick a length or style, or add a file. Your input is saved as a draft.',
  },
  {
    icon: RefreshCw,
    title: 'Generate and refine',
    description: 'Watch the result appear. Copy it, download it, or adjust your request and run it again.',
  },
];

export function HowItWorks() {
  const steps = stepsFor(useToolPages().length);
  const section = useEntranceAnimation();
  return (
    <Section
      ref={section}
      id="HowItWorks"
      title="How It Works"
      subtitle="Get started in just three simple steps to unlock your creative potential"
    >
      <ol className="grid gap-4 md:grid-cols-3 md:gap-6">
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
