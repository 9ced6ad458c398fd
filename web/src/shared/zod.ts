import { z } from 'zod/v4';

/**
 * What `zod` means in the browser (see vite.config.ts): set up before the first schema is made, since it otherwise
 * probes for `new Function`, which the content security policy refuses and reports.
 */
z.config({ jitless: true });

export { z };
