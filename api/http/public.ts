import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'public';

/** Marks a route, or all routes of a controller, as open to callers without a token. */
export const Public = () => SetMetadata(PUBLIC, true);
