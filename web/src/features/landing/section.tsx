import type { ReactNode, Ref } from 'react';
import clsx from 'clsx';

interface SectionProps {
  id: string;
  title: string;
  subtitle?: string;
  /** True to place the heading to the left of the content on wide screens. */
  headingLeft?: boolean;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

export function Section({ id, title, subtitle, headingLeft = false, ref, children }: SectionProps) {
  return (
    <section
      ref={ref}
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-heading`}
      className={clsx(
        // Negative scroll margin: the section's padding already keeps its heading clear of the sticky bar.
        'mx-auto max-w-7xl -scroll-mt-4 px-4 py-16 outline-none sm:px-8 sm:py-20',
        headingLeft && 'grid gap-x-16 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]',
      )}
    >
      <div className="max-w-2xl">
        <h2 id={`${id}-heading`} className="text-4xl sm:text-5xl">
          {title}
        </h2>
        {subtitle !== undefined && <p className="mt-4 text-lg text-pretty text-quiet">{subtitle}</p>}
      </div>
      <div className={headingLeft ? 'max-lg:mt-10' : 'mt-12'}>{children}</div>
    </section>
  );
}
