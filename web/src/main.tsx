import './app/styles/index.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app/app';
import { paths } from './shared/paths';

// The client has loaded, so remove the message that is shown while it is missing (app/styles/client-missing.css).
document.querySelector('.client-missing')?.remove();
const loadingScreen = document.querySelector('.loading-screen');
for (const animation of loadingScreen?.getAnimations() ?? [])
  animation.finished.then(
    () => loadingScreen?.remove(),
    () => undefined,
  );

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
// Only the build prerenders the start page; `npm run dev` doesn't.
const prerendered = root.hasChildNodes() && location.pathname === paths.landing;
const app = <App Router={BrowserRouter} prerendered={prerendered} />;
// A transition hydrates in small steps, so that the page stays responsive.
if (prerendered) startTransition(() => void hydrateRoot(root, app));
else createRoot(root).render(app);
