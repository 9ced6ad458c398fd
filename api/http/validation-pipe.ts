import { StandardSchemaValidationPipe } from '@nestjs/common';
import { validationError } from '#libs/contract/validation.js';

export const validationPipe = () => new StandardSchemaValidationPipe({ exceptionFactory: validationError });
