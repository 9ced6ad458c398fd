import { useId, useState } from 'react';
import clsx from 'clsx';
import { Plus } from 'lucide-react';
import { faq, type FaqItem } from '../../shared/content/sample';
import { Section } from './section';

/** List of questions. At most one answer is open. Radix's accordion would add 5 kB to the start page. */
export function Faq() {
  const [open, setOpen] = useState<FaqItem | null>(null);
  return (
    <Section
      id="Faq"
      title="Frequently Asked Questions"
      subtitle="Find answers to common questions about our AI tools and services"
      headingLeft
    >
      <div className="border-t border-line">
        {faq.map((item) => (
          <Item
            key={item.question}
            item={item}
            open={item === open}
            onToggle={() => setOpen(item === open ? null : item)}
          />
        ))}
      </div>
    </Section>
  );
}

interface ItemProps {
  item: FaqItem;
  open: boolean;
  onToggle: () => void;
}

function Item({ item: { question, answer }, open, onToggle }: ItemProps) {
  const id = useId();
  return (
    <div className="border-b border-line">
      <h3>
        <button
          type="button"
          id={`${id}-question`}
          aria-expanded={open}
          aria-controls={`${id}-answer`}
          onClick={onToggle}
          className="flex min-h-16 w-full items-center justify-between gap-6 rounded-control py-4 text-left text-xl hover:text-live sm:text-2xl"
        >
          {question}
          <Plus
            aria-hidden="true"
            className={clsx(
              'size-5 shrink-0 text-quiet transition-transform duration-200 ease-out',
              open && 'rotate-45',
            )}
          />
        </button>
      </h3>
      <div
        role="region"
        id={`${id}-answer`}
        aria-labelledby={`${id}-question`}
        hidden={!open}
        className="max-h-96 animate-fade overflow-y-auto"
      >
        <div className="grid max-w-[62ch] gap-3 pr-11 pb-7 text-quiet">
          {answer.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </div>
    </div>
  );
}
