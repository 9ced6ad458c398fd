import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/app';
import { paths } from './shared/paths';

const Router = ({ children }: { children: ReactNode }) => (
  <StaticRouter location={paths.landing}>{children}</StaticRouter>
);

/** Renders the start page to HTML, in the state before the session is known. Called by the build. */
export async function renderLandingPage(): Promise<string> {
  const { prelude } = await prerender(<App Router={Router} prerendered />, {
    // Render the page as a single chunk: React would insert further chunks by inline scripts, which our CSP forbids.
    progressiveChunkSize: Infinity,
    onError: (error) => {
      throw error;
    },
  });
  return new Response(prelude).text();
}
