import type { ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useLocation } from 'react-router-dom';
import { Button, buttonClass } from '../components/button';
import { RegisterMarks } from '../components/register-marks';
import { paths } from './paths';

/** Catches a page that breaks, or whose code cannot be fetched; another page is unharmed. */
export function PageErrors({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary FallbackComponent={Stopped} resetKeys={[pathname]}>
      {children}
    </ErrorBoundary>
  );
}

function Stopped() {
  return (
    <div className="grid min-h-[70dvh] place-items-center p-4">
      <div role="alert" className="sheet relative w-full max-w-xl px-8 py-16 text-center">
        <RegisterMarks />
        <h1 className="text-3xl">This page stopped</h1>
        <p className="mx-auto mt-4 max-w-sm text-quiet">
          Your work on the server is safe. Loading the page again usually sets it right.
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <Button variant="primary" onClick={() => window.location.reload()}>
            Load again
          </Button>
          <a href={paths.landing} className={buttonClass('plain')}>
            To the start page
          </a>
        </div>
      </div>
    </div>
  );
}
