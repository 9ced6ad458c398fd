import { NavLink } from 'react-router-dom';
import clsx from 'clsx';
import { KeyRound, LayoutDashboard, ShieldCheck, Users, type LucideIcon } from 'lucide-react';
import { paths } from '../../shared/paths';
import { Avatar } from '../../shared/ui/avatar';
import { PremiumBadge } from '../../shared/ui/premium-badge';
import { useAccount } from '../../shared/account/account-calls';
import { useAccounts } from '../../shared/account/accounts';
import { useToolPages } from '../../shared/tools/tool-pages';
import { PlanFooter } from './plan-footer';

interface SidebarPanelProps {
  onNavigate?: () => void;
}

export function SidebarPanel({ onNavigate }: SidebarPanelProps) {
  const { user, openProfile } = useAccounts();
  const toolPages = useToolPages();
  const isOperator = useAccount().data?.role === 'admin';
  if (user === null) return null;
  return (
    // On a low screen, all of it scrolls: the list alone would have no room between the name and the plan.
    <div className="flex h-full flex-col [@media(height<35rem)]:overflow-y-auto">
      <div className="px-3 pt-4 pb-2">
        <button
          type="button"
          onClick={() => {
            onNavigate?.();
            openProfile();
          }}
          className="flex w-full items-center gap-3 rounded-control p-2 text-left hover:bg-tint"
        >
          <Avatar name={user.fullName} imageUrl={user.imageUrl} className="size-9 text-sm" />
          <span className="min-w-0 truncate font-semibold">{user.fullName}</span>
          <span className="sr-only">, open your account</span>
        </button>
      </div>
      <nav
        aria-label="Tools"
        className="flex-1 overflow-y-auto px-3 py-2 [@media(height<35rem)]:overflow-visible"
      >
        <ul className="grid gap-0.5">
          <Item to={paths.dashboard} end label="Dashboard" icon={LayoutDashboard} onNavigate={onNavigate} />
          {toolPages.map(({ segment, label, icon, plan }) => (
            <Item
              key={segment}
              to={paths.tool(segment)}
              label={label}
              icon={icon}
              premium={plan === 'premium'}
              onNavigate={onNavigate}
            />
          ))}
          <Item to={paths.community} label="Community" icon={Users} onNavigate={onNavigate} />
          <Item to={paths.apiKeys} label="API keys" icon={KeyRound} onNavigate={onNavigate} />
          {isOperator && (
            <Item to={paths.admin} label="Administration" icon={ShieldCheck} onNavigate={onNavigate} />
          )}
        </ul>
      </nav>
      <PlanFooter onNavigate={onNavigate} />
    </div>
  );
}

interface ItemProps extends SidebarPanelProps {
  to: string;
  label: string;
  icon: LucideIcon;
  end?: boolean;
  premium?: boolean;
}

function Item({ to, label, icon: Icon, end, premium = false, onNavigate }: ItemProps) {
  return (
    <li>
      <NavLink
        to={to}
        end={end}
        onClick={onNavigate}
        className={({ isActive }) =>
          clsx(
            'relative flex min-h-10 items-center gap-3 rounded-control px-3 text-[0.9375rem] transition-colors duration-150',
            isActive
              ? 'bg-tint font-semibold text-ink before:absolute before:inset-y-2 before:left-0 before:w-0.5 before:rounded-full before:bg-accent'
              : 'text-quiet hover:bg-tint hover:text-ink',
          )
        }
      >
        <Icon aria-hidden="true" className="size-[1.125rem] shrink-0" strokeWidth={1.75} />
        <span className="flex-1 truncate">{label}</span>
        {premium && <PremiumBadge />}
      </NavLink>
    </li>
  );
}
