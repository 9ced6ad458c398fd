import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { alertRules } from '#libs/alerts/alert-rules.js';
import { registry, addProcessMetrics } from '#libs/observability/metrics.js';
import { inRoot } from '../../scripts/stack/root.ts';

const read = (path: string) => readFileSync(inRoot('ops', path), 'utf8');

/** Metrics of the exporters that rules and panels use. */
const EXPORTED_BY_OTHERS = /\b(node|pg|redis)_\w+|\bup\{|\bALERTS\b|\bvector\(/;

interface Rule {
  alert: string;
  for?: string;
  expr: string;
  annotations: { summary: string };
  labels: { severity: string };
}
const rules = (parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

interface Panel {
  id: number;
  title: string;
  type: string;
  targets?: { expr: string; legendFormat: string }[];
}
const { panels } = JSON.parse(read('grafana/dashboards/pressroom.json')) as { panels: Panel[] };
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

/** Our names and those of Node.js; `up` is Prometheus' own. */
const metricNames = (expr: string) => expr.match(/\b(pressroom|nodejs|process)_\w+/g) ?? [];

/** Every name in `/metrics`, with those that a histogram makes of its own, and its labels. */
async function exportedMetrics(): Promise<Map<string, Set<string>>> {
  addProcessMetrics();
  const names = new Map<string, Set<string>>();
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    const metric = registry.getSingleMetric(name) as unknown as { labelNames?: string[] };
    const labels = new Set(metric.labelNames ?? []);
    names.set(name, labels);
    if (String(type) !== 'histogram') continue;
    for (const suffix of ['bucket', 'sum', 'count'])
      names.set(`${name}_${suffix}`, new Set([...labels, 'le']));
  }
  return names;
}

describe.each([
  ['an alert', rules.map(({ alert, expr }) => ({ title: alert, expr }))],
  ['a panel', queries],
])('%s', (_, all) => {
  it.each(all)('$title uses exported metrics', async ({ expr }) => {
    const names = await exportedMetrics();
    const used = metricNames(expr);
    expect(used.length > 0 || EXPORTED_BY_OTHERS.test(expr)).toBe(true);
    expect(used.filter((name) => !names.has(name))).toEqual([]);
    // Rules select and group by labels of the metric or of the scrape.
    const known = new Set(used.flatMap((name) => [...names.get(name)!]).concat('job', 'instance', 'le'));
    const picked = [...expr.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label!);
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/));
    if (!EXPORTED_BY_OTHERS.test(expr))
      expect([...picked, ...grouped].filter((label) => !known.has(label))).toEqual([]);
    for (const [open, close] of ['()', '{}', '[]'].map((pair) => [...pair]))
      expect(expr.split(open!).length).toBe(expr.split(close!).length);
  });
});

it('every metric of the product is used in a dashboard or an alert', async () => {
  const shown = new Set([...queries, ...rules].flatMap(({ expr }) => metricNames(expr)));
  const ours = [...(await exportedMetrics()).keys()].filter(
    (name) => name.startsWith('pressroom_') && !/_(bucket|sum|count)$/.test(name),
  );
  const isShown = (name: string) => [name, `${name}_bucket`, `${name}_count`].some((one) => shown.has(one));
  expect(ours.filter((name) => !isShown(name))).toEqual([]);
});

it('every alert is explained, and every panel has a number of its own', () => {
  const page = readFileSync(inRoot('docs/observability.md'), 'utf8');
  for (const { alert, annotations, labels } of rules) {
    expect(annotations.summary).not.toBe('');
    expect(alert === 'Watchdog' ? ['none'] : ['page', 'ticket']).toContain(labels.severity);
    expect(page).toContain(`### ${alert}\n`);
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

it.each(['QueueSlow', 'QueueStarved'])('%s leaves out paused queues, as the programs do', (name) => {
  const { expr } = rules.find(({ alert }) => alert === name)!;
  expect(expr).toMatch(/ unless on \(queue\) max by \(queue\) \(pressroom_queue_paused\) == 1$/);
});

it('the programs raise alerts of the same names, severities and durations', () => {
  for (const [name, { severity, forSeconds }] of Object.entries(alertRules)) {
    const rule = rules.find(({ alert }) => alert === name);
    const [, number, unit] = /^(\d+)([mh])$/.exec(rule?.for ?? '') ?? [];
    expect([name, rule?.labels.severity, Number(number) * (unit === 'h' ? 3_600 : 60)]).toEqual([
      name,
      severity,
      forSeconds,
    ]);
  }
});

it('Prometheus asks every service of the stack on its configured port', () => {
  const compose = parse(readFileSync(inRoot('docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, unknown>;
    'x-environment': { METRICS_PORT: string };
  };
  const { scrape_configs } = parse(read('prometheus.yml')) as {
    scrape_configs: {
      dns_sd_configs?: { names: string[]; port: number }[];
      static_configs?: { targets: string[] }[];
    }[];
  };
  const targets = scrape_configs.flatMap(({ dns_sd_configs = [] }) => dns_sd_configs);
  const exporters = scrape_configs.flatMap(({ static_configs = [] }) =>
    static_configs.flatMap((one) => one.targets),
  );
  expect(exporters.map((target) => target.split(':')[0]).sort()).toEqual(
    Object.keys(compose.services)
      .filter((name) => name.endsWith('-exporter'))
      .sort(),
  );
  const programs = Object.keys(compose.services).filter((name) => /^(api|worker)/.test(name));
  expect(targets.flatMap(({ names }) => names).sort()).toEqual(programs.sort());
  for (const { port } of targets) expect(String(port)).toBe(compose['x-environment'].METRICS_PORT);
});

it('Grafana is given the data source that its panels name', () => {
  const { datasources } = parse(read('grafana/provisioning/datasources/prometheus.yml')) as {
    datasources: { uid: string }[];
  };
  expect(read('grafana/dashboards/pressroom.json')).toContain(`"uid": "${datasources[0]!.uid}"`);
  expect(parse(read('grafana/provisioning/dashboards/pressroom.yml'))).toMatchObject({ apiVersion: 1 });
});
