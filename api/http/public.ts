import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'public';

/** A route, or all routes of a controller, that asks for no token. */
export const Public = () => SetMetadata(PUBLIC, true);
