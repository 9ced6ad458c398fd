import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/app';
import { paths } from './shared/paths';

const Router = ({ children }: { children: ReactNode }) => (
  <StaticRouter location={paths.landing}>{children}</StaticRouter>
);

/** The start page as everybody sees it first, before anything is known of who they are. The build calls it. */
export async function prerendered(): Promise<string> {
  const { prelude } = await prerender(<App Router={Router} drawn />, {
    // Any larger part would otherwise be put in its place by an inline script, which the policy refuses.
    progressiveChunkSize: Infinity,
    onError: (error) => {
      throw error;
    },
  });
  return new Response(prelude).text();
}
