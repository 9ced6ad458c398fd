import { describe, expect, it } from '@jest/globals';
import { compareOffline } from './compare.js';
import { findOriginalText } from './original-text.js';

const asked = (job: string) => {
  const own = findOriginalText(['A resume'], job);
  return compareOffline(own, job, new Date('2025-06-01T00:00:00Z')).skills.map(({ name }) => name);
};

describe('what a job description asks for', () => {
  it.each([
    [
      'Experience with Stripe, feature flags, server-side rendering and Core Web Vitals',
      ['Stripe', 'Feature flags', 'Server-side rendering', 'Core Web Vitals'],
    ],
    ['You know Turbopack and Statsig.', ['Turbopack', 'Statsig']],
    ['Experience with Hightouch and cohort analysis', ['Hightouch', 'Cohort analysis']],
    ['Proven experience with Braze, Iterable or Customer.io', ['Braze or Iterable or Customer.io']],
    ['Familiarity with browser internals and web security', ['Browser internals', 'Web security']],
    ['Knowledge of PSD2 and Strong Customer Authentication', ['PSD2', 'Strong Customer Authentication']],
    ['We built it with RedwoodSDK, Convex and PlanetScale', ['RedwoodSDK', 'Convex', 'PlanetScale']],
    ['Experience in chocolate tempering and laminated doughs', ['Chocolate tempering', 'Laminated doughs']],
    ['Requirements:\nKnowledge of the Great Depression', ['Great Depression']],
    [
      'Hands-on with OpenRewrite; PMP or CAPM preferred',
      ['OpenRewrite', 'Project Management Professional or CAPM'],
    ],
    ['You are comfortable with eBPF and XDP', ['eBPF', 'XDP']],
    ['Tech: Swift, Combine, Core Data, XCTest', ['Combine', 'Core Data', 'XCTest']],
    ['Must have:\n- Beekeeping\n- Honey extraction\n- Queen rearing', ['Honey extraction', 'Queen rearing']],
    [
      'Understanding of single sign-on, distributed tracing and payment gateways',
      ['Single sign-on', 'OpenTelemetry', 'Payment processing'],
    ],
  ])('%s', (job, names) => {
    expect(asked(job)).toEqual(expect.arrayContaining(names));
  });

  it.each([
    'Northwind Traders is a shop in Berlin. At Northwind Traders, we care. Join Northwind Traders.',
    'You report to the Head of Design in New York, Monday to Friday.',
    'Experience in a fast-paced environment with many stakeholders at different levels',
    'You have a strong desire to grow, excellent manners and a sense of humour.',
    'We offer 30 days of holiday, a MacBook Pro and an office dog.',
    'About Lumen\nLumen makes lamps for Ikea and Philips.',
    'Senior Engineering Manager (m/f/d)',
    'Ability to lift 25 kg and to work weekends.',
    'We are hiring a Pastry Chef.',
    'The CEO and CFO of our US office decide until June.',
  ])('asks for nothing: %s', (job) => {
    expect(asked(job).filter((name) => name !== 'Stakeholder management' && name !== 'Baking')).toEqual([]);
  });
});
