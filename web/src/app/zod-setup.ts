import { z } from 'zod';

/** zod otherwise probes for `new Function`, which the content security policy refuses and reports. */
z.config({ jitless: true });
