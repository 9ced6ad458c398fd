import type { ReactNode } from 'react';

export function LegalPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <>
      <title>{`${title} · Pressroom`}</title>
      <article className="mx-auto w-full max-w-[72ch] px-4 pt-8 pb-24 sm:px-8 sm:pt-16">
        <h1 className="text-4xl sm:text-5xl">{title}</h1>
        <p className="mt-6 text-lg text-quiet">{lead}</p>
        {children}
      </article>
    </>
  );
}

export function Clause({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-12">
      <h2 className="text-2xl">{title}</h2>
      <div className="mt-4 grid gap-4 leading-relaxed">{children}</div>
    </section>
  );
}
