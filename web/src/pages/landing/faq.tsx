import { Accordion } from 'radix-ui';
import { Plus } from 'lucide-react';
import { faq } from '../../content/sample';
import { Section } from './section';

/** One answer is open at a time, none at first; its question closes it again. */
export function Faq() {
  return (
    <Section
      id="Faq"
      title="Frequently Asked Questions"
      subtitle="Find answers to common questions about our AI tools and services"
      beside
    >
      <Accordion.Root type="single" collapsible className="border-t border-line">
        {faq.map(({ question, answer }) => (
          <Accordion.Item key={question} value={question} className="border-b border-line">
            <Accordion.Header>
              <Accordion.Trigger className="group flex min-h-16 w-full items-center justify-between gap-6 rounded-control py-4 text-left text-xl hover:text-live sm:text-2xl">
                {question}
                <Plus
                  aria-hidden="true"
                  className="size-5 shrink-0 text-quiet transition-transform duration-200 ease-out group-data-[state=open]:rotate-45"
                />
              </Accordion.Trigger>
            </Accordion.Header>
            <Accordion.Content className="max-h-96 overflow-y-auto data-[state=open]:animate-fade">
              <div className="grid max-w-[62ch] gap-3 pr-11 pb-7 text-quiet">
                {answer.split('\n').map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </div>
            </Accordion.Content>
          </Accordion.Item>
        ))}
      </Accordion.Root>
    </Section>
  );
}
