import { z } from 'zod/v4';

// vite.config.ts resolves `zod` to this file for the client. Without `jitless`, zod would try `new Function`, which violates
// our content security policy.
z.config({ jitless: true });

export { z };
