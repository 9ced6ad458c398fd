import { StandardSchemaValidationPipe } from '@nestjs/common';
import { validationError } from '#libs/contract/validation.js';

/** Validates what a route takes with the schema it names. */
export const validationPipe = () => new StandardSchemaValidationPipe({ exceptionFactory: validationError });
