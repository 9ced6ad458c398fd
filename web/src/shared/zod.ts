import { z } from 'zod/v4';

// vite.config.ts resolves `zod` to this file for the client. Without `jitless`, zod probes for `new Function`, which violates the
// content security policy.
z.config({ jitless: true });

export { z };
