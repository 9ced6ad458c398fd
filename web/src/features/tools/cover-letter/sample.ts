/** The start of a letter written by an AI provider. */
export const letterSample = `# Cover letter

Dear hiring team,

I am applying for the position of Backend Engineer.

At Freightline Systems I moved all services to Kubernetes and wrote their Docker images. I also tuned PostgreSQL queries, cutting the slowest report by 85%.

I would be glad to tell you more in a conversation.

Kind regards,\\
Mara Lindqvist

## What this rests on

1. “At Freightline Systems I moved all services to Kubernetes and wrote their Docker …”
   - *Resume, page 1:* “Moved all services to Kubernetes and wrote their Docker images”
`;

/** The start of a letter put together without an AI service. */
export const ownLinesSample = `# Cover letter

Dear hiring team,

I am applying for the position of Backend Engineer.

Your description asks for Kubernetes and PostgreSQL. These lines of my work answer it:

**Freightline Systems, Senior Backend Engineer, Mar 2018 - Present**

- Moved all services to Kubernetes and wrote their Docker images
- Responsible for the tuning of PostgreSQL queries, cutting the slowest report by 85%
`;
