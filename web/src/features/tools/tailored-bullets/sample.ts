/** The start of bullets worded by an AI provider. */
export const bulletsSample = `# Tailored bullets

## Freightline Systems, Senior Backend Engineer, Mar 2018 - Present

- Moved all services to Kubernetes, with Docker images written for each
  - *Resume, page 1:* “Moved all services to Kubernetes and wrote their Docker images”
  - *Job description:* “You run our services on Kubernetes.”
- Tuned PostgreSQL queries, cutting the slowest report by 85%
  - *Resume, page 1:* “the tuning of PostgreSQL queries, cutting the slowest report by 85%”
  - *Job description:* “PostgreSQL under load”
`;

/** The start of lines chosen without an AI service. */
export const chosenSample = `# Tailored bullets

## Freightline Systems, Senior Backend Engineer, Mar 2018 - Present

- Moved all services to Kubernetes and wrote their Docker images
  - *Resume, page 1:* these words
  - *Job description:* “You run our services on Kubernetes.”
- Responsible for the tuning of PostgreSQL queries, cutting the slowest report by 85%
  - *Resume, page 1:* these words
  - *Job description:* “PostgreSQL under load”
`;
