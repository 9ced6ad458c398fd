import { lazy, Suspense, useEffect } from 'react';
import { NavigationType, Route, Routes, useLocation, useNavigationType } from 'react-router-dom';
import { SiteLayout } from './site-layout';
import { Loading } from '../shared/ui/spinner';
import { PageErrors } from '../shared/ui/page-errors';
import { paths } from '../shared/paths';

// Every screen is a chunk of its own; the start page loads nothing of the signed-in area.
const Landing = lazy(() => import('../features/landing/page'));
const Workspace = lazy(() => import('./workspace-layout'));
const Dashboard = lazy(() => import('../features/dashboard/page'));
const Community = lazy(() => import('../features/community/page'));
const Tool = lazy(() => import('./tool-route'));
const Terms = lazy(() => import('../features/legal/terms'));
const Privacy = lazy(() => import('../features/legal/privacy'));
const ResetPassword = lazy(() => import('../features/account/local/reset-password-page'));
const NotFound = lazy(() => import('./not-found-page'));

/**
 * @param drawn whether the page is in the HTML already. It is then taken over as one whole, before anything is fetched
 * that would change it, and nothing ever stands in for it. Later pages come as transitions: the old one stays until
 * the new one is there.
 */
export function AppRoutes({ drawn }: { drawn: boolean }) {
  useTopOfNewPage();
  const pages = (
    <Routes>
      <Route path="/ai" element={<Workspace />}>
        <Route index element={<Dashboard />} />
        <Route path="community" element={<Community />} />
        <Route path=":segment" element={<Tool />} />
      </Route>
      <Route element={<SiteLayout />}>
        <Route path={paths.landing} element={<Landing />} />
        <Route path={paths.terms} element={<Terms />} />
        <Route path={paths.privacy} element={<Privacy />} />
        <Route path={paths.resetPassword} element={<ResetPassword />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
  return <PageErrors>{drawn ? pages : <Suspense fallback={<Coming />}>{pages}</Suspense>}</PageErrors>;
}

/** In the middle, where the loading screen was and the look for a session will be. */
function Coming() {
  return (
    <div className="grid min-h-dvh place-items-center">
      <Loading what="Loading" />
    </div>
  );
}

/** A link leads to the top of its page; going back leaves the place to the browser. */
function useTopOfNewPage(): void {
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  useEffect(() => {
    if (navigation === NavigationType.Push) window.scrollTo(0, 0);
  }, [pathname, navigation]);
}
