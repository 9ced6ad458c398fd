import { useState, type ReactNode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router-dom';
import { AccountsProvider } from '../session/accounts-provider';
import { createQueryClient } from './query-client';

export function Providers({ children }: { children: ReactNode }) {
  const [queries] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <AccountsProvider>{children}</AccountsProvider>
      </BrowserRouter>
    </QueryClientProvider>
  );
}
