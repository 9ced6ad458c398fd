import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/app';
import { paths } from './shared/paths';

const Router = ({ children }: { children: ReactNode }) => (
  <StaticRouter location={paths.landing}>{children}</StaticRouter>
);

/** The start page as HTML, as a visitor sees it before the session is known. The build calls it. */
export async function renderLandingPage(): Promise<string> {
  const { prelude } = await prerender(<App Router={Router} prerendered />, {
    // React would insert larger parts by an inline script, which the content security policy refuses.
    progressiveChunkSize: Infinity,
    onError: (error) => {
      throw error;
    },
  });
  return new Response(prelude).text();
}
