import { useEffect, type ReactNode } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useLocation } from 'react-router-dom';
import { Button, buttonClass } from './button';
import { CornerMarks } from './corner-marks';
import { paths } from '../paths';

/** Error boundary around a page. Navigation to another page resets the error. */
export function PageErrors({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary FallbackComponent={PageErrorFallback} resetKeys={[pathname]}>
      {children}
    </ErrorBoundary>
  );
}

/** Matches the browsers' error messages for scripts that could not be loaded. */
const LOAD_FAILED = /dynamically imported module|importing a module script|unable to preload/i;
const CHECK_MS = 3_000;

const isLoadError = (error: unknown) => error instanceof Error && LOAD_FAILED.test(error.message);

function PageErrorFallback({ error }: FallbackProps) {
  return isLoadError(error) ? <PageNotLoaded error={error} /> : <PageCrashed />;
}

/**
 * If the error is a script that could not be loaded, reloads the page once the server is available. The server was down, or
 * a
 * newer version was deployed whose scripts have other names.
 */
export function useReloadWhenAvailable(error: unknown): void {
  const shouldReload = isLoadError(error);
  useEffect(() => {
    if (!shouldReload) return;
    const timer = setInterval(() => {
      void fetch('/health/live', { cache: 'no-store' }).then(
        (response) => response.ok && window.location.reload(),
        () => undefined,
      );
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, [shouldReload]);
}

function PageNotLoaded({ error }: Pick<FallbackProps, 'error'>) {
  useReloadWhenAvailable(error);
  return (
    <ErrorPanel
      title="This page could not be loaded"
      text="Pressroom does not respond. Your work and what you typed are safe. This page reloads automatically."
    />
  );
}

function PageCrashed() {
  return (
    <ErrorPanel
      title="Something went wrong on this page"
      text="Your work on the server is safe. Reloading the page usually helps."
    >
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <Button variant="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
        <a href={paths.landing} className={buttonClass('plain')}>
          Go to the start page
        </a>
      </div>
    </ErrorPanel>
  );
}

function ErrorPanel({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="grid min-h-[70dvh] place-items-center p-4">
      <div role="alert" className="panel relative w-full max-w-xl px-8 py-16 text-center">
        <CornerMarks />
        <h1 className="text-3xl">{title}</h1>
        <p className="mx-auto mt-4 max-w-sm text-quiet">{text}</p>
        {children}
      </div>
    </div>
  );
}
