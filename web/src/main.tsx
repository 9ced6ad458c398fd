import './app/styles/index.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app/app';
import { takeLoadingScreenAway } from './app/loading-screen';
import { paths } from './shared/paths';

takeLoadingScreenAway();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
// The build draws the start page beforehand; `npm run dev` draws nothing.
const drawn = root.hasChildNodes() && location.pathname === paths.landing;
const app = <App Router={BrowserRouter} drawn={drawn} />;
// Taken over in small steps, between which the page stays open to the visitor.
if (drawn) startTransition(() => void hydrateRoot(root, app));
else createRoot(root).render(app);
