import { useNavigate } from 'react-router-dom';
import toast from 'react-hot-toast';
import {
  FileText,
  House,
  Image,
  Images,
  KeyRound,
  Webhook,
  LayoutDashboard,
  LogOut,
  Moon,
  Sun,
  UserRound,
  Users,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import { useCreations } from '../../modules/creations/api/creation-pages';
import { titleOf } from '../../modules/creations/title-of';
import { landingSections, paths } from '../../shared/paths';
import { toggleTheme, useTheme } from '../../shared/theme';
import { formatDate } from '../../shared/lib/format';
import { useRunList } from '../../modules/runs/lists/run-calls';
import { batchKind, flowKind } from '../../modules/runs/lists/run-kinds';
import { useJobStore } from '../../modules/runs/state/runs-context';
import { useJobPath, useToolPages } from '../../shared/tools/tool-pages';
import { useAccounts } from '../../shared/account/accounts';
import { useSignOut } from '../../shared/account/use-sign-out';
import type { Entry } from './filter-entries';

export const CREATIONS = 'Recent creations';
export const RUNS = 'Batches and runs';

export function useCommandEntries(): Entry[] {
  const navigate = useNavigate();
  const { openProfile } = useAccounts();
  const toolPages = useToolPages();
  const signOut = useSignOut();
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const to = (path: string) => () => void navigate(path);
  const page = (id: string, label: string, keywords: string, icon: LucideIcon, path: string): Entry => ({
    ...{ id, group: 'Pages', label, keywords, icon, run: to(path) },
  });
  const command = (
    id: string,
    label: string,
    keywords: string,
    icon: LucideIcon,
    run: () => void,
  ): Entry => ({
    ...{ id, group: 'Commands', label, keywords, icon, run },
  });
  return [
    ...toolPages.map(({ segment, label, title, tagline, plan, icon }) => ({
      id: `tool ${segment}`,
      group: 'Tools',
      label,
      keywords: `${title} ${tagline}`,
      note: plan === 'premium' ? 'Premium' : undefined,
      icon,
      run: to(paths.tool(segment)),
    })),
    page('dashboard', 'Dashboard', 'creations home', LayoutDashboard, paths.dashboard),
    page('community', 'Community', 'published images likes', Users, paths.community),
    page('keys', 'API keys', 'programs tokens developers mcp', KeyRound, paths.apiKeys),
    page('webhooks', 'Webhooks', 'programs events developers', Webhook, paths.webhooks),
    page('start', 'Start page', 'landing home', House, paths.landing),
    ...landingSections.map(({ label, anchor }) =>
      page(
        `section ${anchor}`,
        `Start page: ${label}`,
        anchor === 'Plan' ? 'prices plan premium' : 'tools',
        House,
        `${paths.landing}#${anchor}`,
      ),
    ),
    command(
      'theme',
      `Switch to the ${other} theme`,
      'dark light mode appearance',
      other === 'light' ? Sun : Moon,
      () => void toggleTheme(document.body),
    ),
    command('account', 'Your account and plan', 'profile premium free credits', UserRound, () =>
      openProfile(),
    ),
    command(
      'sign-out',
      'Sign out',
      'log out leave',
      LogOut,
      () => void signOut().catch(() => toast.error('Sign-out failed. Try again in a moment.')),
    ),
  ];
}

/** An entry for each of the user's latest batches and runs, newest first. */
export function useRunEntries(): Entry[] {
  const navigate = useNavigate();
  const batches = useRunList(batchKind).map(batchKind.summarize);
  const flows = useRunList(flowKind).map(flowKind.summarize);
  return [...batches, ...flows]
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .map(({ kind, id, title, createdAt, progress, path }) => ({
      id: `${kind} ${id}`,
      group: RUNS,
      label: title,
      keywords: `${kind === 'batch' ? 'batch' : 'run flow'} ${progress}`,
      note: formatDate(createdAt),
      icon: kind === 'batch' ? Images : Workflow,
      run: () => void navigate(path),
    }));
}

/**
 * An entry for each of the user's creations. Opens the job on its tool's page, or the creation's page if the job was
 * deleted.
 */
export function useCreationEntries(): { entries: Entry[]; loading: boolean; failed: boolean } {
  const navigate = useNavigate();
  const jobPath = useJobPath();
  const store = useJobStore();
  const { data, isPending, failureReason } = useCreations();

  const open = async (jobId: string | null) => {
    const exists = jobId !== null && (await store.refresh(jobId));
    const job = exists ? store.list().find(({ id }) => id === jobId) : undefined;
    await navigate(job === undefined ? paths.dashboard : jobPath(job));
  };
  return {
    entries: (data ?? []).map(({ id, prompt, name, type, created_at: createdAt, jobId }) => ({
      id: `creation ${id}`,
      group: CREATIONS,
      label: titleOf({ name, prompt }),
      keywords: name === null ? type : `${type} ${prompt}`,
      note: formatDate(createdAt),
      icon: type === 'image' ? Image : FileText,
      run: () => void open(jobId),
    })),
    loading: isPending && failureReason === null,
    failed: data === undefined && failureReason !== null,
  };
}
