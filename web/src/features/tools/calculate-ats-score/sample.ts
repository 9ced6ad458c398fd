import type { AtsReport, Skill } from './read-report';

const jobQuote = 'Must have: Go, Kubernetes, PostgreSQL, Ansible.';

const matched = (name: string, quote: string): Skill => ({
  name,
  match: true,
  feedback: 'Found on page 1.',
  requirement: { quote: jobQuote, importance: 'required' },
  evidence: { quote, page: 1 },
});

/** A result made without an AI service. */
export const reportSample: AtsReport = {
  score: 75,
  skills: [
    {
      name: 'Ansible',
      match: false,
      feedback: 'Not found in the resume.',
      requirement: { quote: jobQuote, importance: 'required' },
      evidence: null,
    },
    matched('Go', 'Built Go services that book 40,000 shipments a day, with gRPC between them'),
    matched('Kubernetes', 'Moved all services to Kubernetes and wrote their Docker images'),
    matched('PostgreSQL', 'Tuned PostgreSQL queries, cutting the slowest report by 85%'),
  ],
  feedback: 'Your resume matches 3 out of 4 key skills. Required and not found: Ansible.',
  suggestions: ['Ansible is required and not in the resume: if you have used it, say where and for what.'],
  requirements: [],
};
