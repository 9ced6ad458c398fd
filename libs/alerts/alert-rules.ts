/**
 * The alerts that the programs raise themselves. Names, severities and durations are those of `ops/alerts.yml`.
 * `forSeconds` is how long a condition must hold before the alert fires.
 */
export const alertRules = {
  ApiDown: { severity: 'page', forSeconds: 60 },
  ServiceNotReady: { severity: 'page', forSeconds: 60 },
  ApiErrors: { severity: 'page', forSeconds: 300 },
  ApiSlow: { severity: 'ticket', forSeconds: 600 },
  NoWorker: { severity: 'page', forSeconds: 60 },
  QueueSlow: { severity: 'page', forSeconds: 120 },
  QueueStarved: { severity: 'ticket', forSeconds: 120 },
  QueuePaused: { severity: 'ticket', forSeconds: 1_800 },
  JobsFail: { severity: 'page', forSeconds: 300 },
  ProviderErrors: { severity: 'page', forSeconds: 300 },
  BreakerOpen: { severity: 'page', forSeconds: 120 },
  BudgetNearlyUsed: { severity: 'ticket', forSeconds: 60 },
  BudgetUsedUp: { severity: 'page', forSeconds: 60 },
  DiskLow: { severity: 'page', forSeconds: 120 },
  HostDiskLow: { severity: 'page', forSeconds: 120 },
  EventLoopLag: { severity: 'ticket', forSeconds: 300 },
  MaintenanceOverdue: { severity: 'ticket', forSeconds: 300 },
  DatabaseConnections: { severity: 'ticket', forSeconds: 300 },
  RedisMemory: { severity: 'page', forSeconds: 300 },
} as const satisfies Record<string, { severity: 'page' | 'ticket'; forSeconds: number }>;

export type AlertName = keyof typeof alertRules;

/** A condition that holds now. Name and labels identify its alert. */
export interface Condition {
  name: AlertName;
  labels: Record<string, string>;
  summary: string;
}

/** Such as `NoWorker{queue="text"}`. */
export const alertKey = ({ name, labels }: Pick<Condition, 'name' | 'labels'>): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',')}}`;
