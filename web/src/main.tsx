import './styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { takeLoadingScreenAway } from './app/loading-screen';
import { Providers } from './app/providers';
import { AppRoutes } from './app/routes';

takeLoadingScreenAway();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <Providers>
      <AppRoutes />
    </Providers>
  </StrictMode>,
);
