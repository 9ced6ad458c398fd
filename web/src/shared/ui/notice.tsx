import type { ReactNode } from 'react';
import clsx from 'clsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';

const tones = {
  danger: { Icon: CircleAlert, ink: 'text-danger' },
  warning: { Icon: TriangleAlert, ink: 'text-warning' },
  success: { Icon: CircleCheck, ink: 'text-success' },
  note: { Icon: Info, ink: 'text-quiet' },
};

interface NoticeProps {
  tone: keyof typeof tones;
  title?: string;
  children: ReactNode;
  /** What to do next. */
  action?: ReactNode;
}

/** Says what happened, what was not lost, and what to do next; a danger is read out at once. */
export function Notice({ tone, title, children, action }: NoticeProps) {
  const { Icon, ink } = tones[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className="flex animate-fade gap-3 rounded-control border border-line bg-sunken p-4 text-[0.9375rem]"
    >
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-5 shrink-0', ink)} />
      <div className="min-w-0 wrap-anywhere">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        <p className={title === undefined ? '' : 'text-quiet'}>{children}</p>
        {action && <div className="mt-3 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
