import { StrictMode, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { AccountsProvider } from './accounts-provider';
import { createQueryClient } from './query-client';
import { keepFocus } from './keep-focus';
import { ToolPagesContext } from '../shared/tools/tool-pages';
import { AppRoutes } from './routes';
import { registeredTools } from './tool-registry';
import { followOtherTabs } from '../shared/theme';

interface AppProps {
  /** Where the address comes from: the browser's, or that of a page that is drawn beforehand. */
  Router: ComponentType<{ children: ReactNode }>;
  /** Whether the page is in the HTML already. */
  drawn: boolean;
}

/** The whole client. */
export function App({ Router, drawn }: AppProps) {
  const [queries] = useState(createQueryClient);
  useEffect(followOtherTabs, []);
  useEffect(keepFocus, []);
  useEffect(() => {
    // For public/take-over.js, which keeps what was pressed until now.
    if (drawn) window.dispatchEvent(new Event('taken-over'));
  }, [drawn]);
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router>
          <AccountsProvider>
            <ToolPagesContext value={registeredTools}>
              <AppRoutes drawn={drawn} />
            </ToolPagesContext>
          </AccountsProvider>
        </Router>
      </QueryClientProvider>
    </StrictMode>
  );
}
