import { StandardSchemaValidationPipe } from '@nestjs/common';
import { validationError } from '#libs/contract/validation.js';

/** Validates parameters with their schemas. */
export const validationPipe = () => new StandardSchemaValidationPipe({ exceptionFactory: validationError });
