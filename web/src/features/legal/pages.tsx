import { useConfig } from '../../shared/account/read-config';
import privacy from './privacy.json' with { type: 'json' };
import terms from './terms.json' with { type: 'json' };

interface LegalText {
  title: string;
  lead: string;
  clauses: { title: string; paragraphs: Paragraph[] }[];
}

/** A text, or texts by the server's account provider or engine, of which one is shown. */
type Paragraph = string | { by: 'provider' | 'engine'; texts: Partial<Record<string, string>> };

export const TermsPage = () => <LegalPage text={terms} />;
export const PrivacyPage = () => <LegalPage text={privacy as LegalText} />;

function LegalPage({ text: { title, lead, clauses } }: { text: LegalText }) {
  const config = useConfig().data;
  const server = { provider: config?.accounts.provider ?? 'local', engine: config?.engine ?? 'openai' };
  return (
    <>
      <title>{`${title} · Pressroom`}</title>
      <article className="mx-auto w-full max-w-[72ch] px-4 pt-8 pb-24 sm:px-8 sm:pt-16">
        <h1 className="text-4xl sm:text-5xl">{title}</h1>
        <p className="mt-6 text-lg text-quiet">{lead}</p>
        {clauses.map((clause) => (
          <section key={clause.title} className="mt-12">
            <h2 className="text-2xl">{clause.title}</h2>
            <div className="mt-4 grid gap-4 leading-relaxed">
              {clause.paragraphs.map((paragraph, index) => (
                <p key={index}>
                  {typeof paragraph === 'string' ? paragraph : paragraph.texts[server[paragraph.by]]}
                </p>
              ))}
            </div>
          </section>
        ))}
      </article>
    </>
  );
}
