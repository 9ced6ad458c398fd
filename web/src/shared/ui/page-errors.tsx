import { useEffect, type ReactNode } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useLocation } from 'react-router-dom';
import { Button, buttonClass } from './button';
import { RegisterMarks } from './register-marks';
import { paths } from '../paths';

/** Catches a page that breaks, or whose code cannot be fetched; another page is unharmed. */
export function PageErrors({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary FallbackComponent={Stopped} resetKeys={[pathname]}>
      {children}
    </ErrorBoundary>
  );
}

/** How browsers say that a page's code could not be fetched. */
const NOT_FETCHED = /dynamically imported module|importing a module script|unable to preload/i;
const LOOK_AGAIN_MS = 3_000;

const isNotFetched = (error: unknown) => error instanceof Error && NOT_FETCHED.test(error.message);

function Stopped({ error }: FallbackProps) {
  return isNotFetched(error) ? <NotFetched error={error} /> : <Broken />;
}

/**
 * Loads the page again once the server answers, where an error is of code that could not be fetched: the server was
 * away, or a new version took the place of this one.
 */
export function useLoadAgain(error: unknown): void {
  const notFetched = isNotFetched(error);
  useEffect(() => {
    if (!notFetched) return;
    const timer = setInterval(() => {
      void fetch('/health/live', { cache: 'no-store' }).then(
        (answer) => answer.ok && window.location.reload(),
        () => undefined,
      );
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [notFetched]);
}

function NotFetched({ error }: Pick<FallbackProps, 'error'>) {
  useLoadAgain(error);
  return (
    <div className="grid min-h-[70dvh] place-items-center p-4">
      <div role="alert" className="sheet relative w-full max-w-xl px-8 py-16 text-center">
        <RegisterMarks />
        <h1 className="text-3xl">This page cannot be fetched</h1>
        <p className="mx-auto mt-4 max-w-sm text-quiet">
          Pressroom does not answer just now. Your work and what you typed are safe; this page opens by itself
          as soon as there is an answer.
        </p>
      </div>
    </div>
  );
}

function Broken() {
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
