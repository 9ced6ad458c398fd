import { StrictMode, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { AccountsProvider } from './accounts-provider';
import { createQueryClient } from './query-client';
import { restoreFocus } from './restore-focus';
import { ToolPagesContext } from '../shared/tools/tool-pages';
import { AppRoutes } from './routes';
import { registeredTools } from './tool-registry';
import { syncThemeAcrossTabs } from '../shared/theme';

interface AppProps {
  /** BrowserRouter, or a static router when the build prerenders a page. */
  Router: ComponentType<{ children: ReactNode }>;
  /** True if the HTML already contains the page, so that React hydrates it. */
  prerendered: boolean;
}

export function App({ Router, prerendered }: AppProps) {
  const [queries] = useState(createQueryClient);
  useEffect(syncThemeAcrossTabs, []);
  useEffect(restoreFocus, []);
  useEffect(() => {
    // On this event, public/load-client.js repeats the click on a button that was pressed before hydration.
    if (prerendered) window.dispatchEvent(new Event('hydrated'));
  }, [prerendered]);
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router>
          <AccountsProvider>
            <ToolPagesContext value={registeredTools}>
              <AppRoutes prerendered={prerendered} />
            </ToolPagesContext>
          </AccountsProvider>
        </Router>
      </QueryClientProvider>
    </StrictMode>
  );
}
