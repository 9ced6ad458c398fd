import { z } from 'zod';

/** Comes before every schema: zod otherwise probes for `new Function`, which the content security policy refuses and reports. */
z.config({ jitless: true });
