import { lazy, Suspense, useEffect } from 'react';
import { NavigationType, Route, Routes, useLocation, useNavigationType, useParams } from 'react-router-dom';
import { SiteLayout } from './site-layout';
import { registeredTools } from './tool-registry';
import { NotFoundPanel } from '../shared/ui/not-found-panel';
import { Loading } from '../shared/ui/spinner';
import { PageErrors } from '../shared/ui/page-errors';
import { paths } from '../shared/paths';

// Pages load lazily, so that the start page doesn't load the code of the signed-in area.
const Landing = lazy(() => import('../features/landing/page'));
const WorkspaceLayout = lazy(() => import('./workspace-layout'));
const Dashboard = lazy(() => import('../features/dashboard/page'));
const CreationPage = lazy(() => import('../features/dashboard/creation-page'));
const Community = lazy(() => import('../features/community/page'));
const Batches = lazy(async () => ({
  default: (await import('../features/runs/run-list-pages')).BatchesPage,
}));
const Batch = lazy(() => import('../features/runs/batch-page'));
const Flows = lazy(async () => ({ default: (await import('../features/runs/run-list-pages')).FlowsPage }));
const Flow = lazy(() => import('../features/runs/flow-page'));
const ApiKeys = lazy(() => import('../features/account/api-keys/page'));
const Usage = lazy(() => import('../features/account/usage/page'));
const Webhooks = lazy(() => import('../features/account/webhooks/page'));
const Webhook = lazy(() => import('../features/account/webhooks/webhook-page'));
const AdminLayout = lazy(() => import('../features/admin/admin-layout'));
const AdminOverview = lazy(() => import('../features/admin/overview-page'));
const AdminJobs = lazy(() => import('../features/admin/jobs-page'));
const AdminJob = lazy(() => import('../features/admin/job/job-page'));
const AdminUsers = lazy(() => import('../features/admin/users-page'));
const AdminUser = lazy(() => import('../features/admin/user/user-page'));
const AdminReports = lazy(() => import('../features/admin/reports-page'));
const AdminCosts = lazy(() => import('../features/admin/costs-page'));
const AdminAudit = lazy(() => import('../features/admin/audit-page'));
const ConnectLayout = lazy(() => import('./connect-layout'));
const Connect = lazy(() => import('../features/account/connect/page'));
const Notebook = lazy(() => import('../features/tools/notebooks/notebook-page'));
const Terms = lazy(async () => ({ default: (await import('../features/legal/pages')).TermsPage }));
const Privacy = lazy(async () => ({ default: (await import('../features/legal/pages')).PrivacyPage }));
const SharedText = lazy(() => import('../features/shared-text/page'));
const ResetPassword = lazy(() => import('../features/account/local/reset-password-page'));

/**
 * @param prerendered true if the HTML already contains the page. Then there is no Suspense boundary, whose fallback could
 * replace the page during hydration. On navigation, the old page stays until the new page is loaded (a transition).
 */
export function AppRoutes({ prerendered }: { prerendered: boolean }) {
  useScrollToTop();
  const pages = (
    <Routes>
      <Route path="/ai" element={<WorkspaceLayout />}>
        <Route index element={<Dashboard />} />
        <Route path="creations/:id" element={<CreationPage />} />
        <Route path="community" element={<Community />} />
        <Route path="usage" element={<Usage />} />
        <Route path="keys" element={<ApiKeys />} />
        <Route path="webhooks" element={<Webhooks />} />
        <Route path="webhooks/:id" element={<Webhook />} />
        <Route path="batches" element={<Batches />} />
        <Route path="batches/:id" element={<Batch />} />
        <Route path="flows" element={<Flows />} />
        <Route path="flows/:id" element={<Flow />} />
        <Route path="notebooks/:id" element={<Notebook />} />
        <Route path=":segment" element={<ToolRoute />} />
      </Route>
      <Route path={paths.admin} element={<WorkspaceLayout />}>
        <Route element={<AdminLayout />}>
          <Route index element={<AdminOverview />} />
          <Route path="jobs" element={<AdminJobs />} />
          <Route path="jobs/:id" element={<AdminJob />} />
          <Route path="users" element={<AdminUsers />} />
          <Route path="users/:id" element={<AdminUser />} />
          <Route path="reports" element={<AdminReports />} />
          <Route path="costs" element={<AdminCosts />} />
          <Route path="audit" element={<AdminAudit />} />
        </Route>
      </Route>
      <Route element={<ConnectLayout />}>
        <Route path={paths.connect} element={<Connect />} />
      </Route>
      <Route element={<SiteLayout />}>
        <Route path={paths.landing} element={<Landing />} />
        <Route path={paths.terms} element={<Terms />} />
        <Route path={paths.privacy} element={<Privacy />} />
        <Route path={paths.sharedText} element={<SharedText />} />
        <Route path={paths.resetPassword} element={<ResetPassword />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
  return (
    <PageErrors>{prerendered ? pages : <Suspense fallback={<PageLoading />}>{pages}</Suspense>}</PageErrors>
  );
}

function ToolRoute() {
  const { segment } = useParams();
  const tool = registeredTools.find((candidate) => candidate.segment === segment);
  return tool === undefined ? <NotFoundPanel /> : <tool.Page />;
}

const NotFound = () => (
  <div className="mx-auto w-full max-w-3xl px-4 py-16">
    <NotFoundPanel />
  </div>
);

function PageLoading() {
  return (
    <div className="grid min-h-dvh place-items-center">
      <Loading label="Loading" />
    </div>
  );
}

/** Scrolls to the top after a click on a link. On Back and Forward, the browser restores the scroll position. */
function useScrollToTop(): void {
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  useEffect(() => {
    if (navigation === NavigationType.Push) window.scrollTo(0, 0);
  }, [pathname, navigation]);
}
