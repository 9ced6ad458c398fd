import { Module, StandardSchemaValidationPipe, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import type { Config } from '#libs/config/environment.js';
import { validationError } from '#libs/contract/validation.js';
import { createLogger } from '#libs/observability/logger.js';
import { Drain } from './drain.js';
import { ErrorsFilter } from './errors-filter.js';
import { RateLimits } from './rate-limits.js';
import { requestLogOptions } from './request-log.js';

export const REQUEST_LOG = Symbol('REQUEST_LOG');

/** The request log, validation, error envelope and rate limits of all routes. */
@Module({})
export class HttpModule {
  static forRoot(config: Config): DynamicModule {
    const requestLog = requestLogOptions(createLogger(config.logLevel, 'api'));
    return {
      module: HttpModule,
      global: true,
      imports: [LoggerModule.forRoot({ pinoHttp: requestLog, useExisting: true })],
      providers: [
        { provide: REQUEST_LOG, useValue: requestLog },
        { provide: RateLimits, useFactory: () => new RateLimits(config) },
        {
          provide: Drain,
          inject: [HttpAdapterHost],
          useFactory: (adapterHost: HttpAdapterHost) => new Drain(adapterHost, config.shutdownSeconds),
        },
        { provide: APP_FILTER, useClass: ErrorsFilter },
        {
          provide: APP_PIPE,
          useFactory: () => new StandardSchemaValidationPipe({ exceptionFactory: validationError }),
        },
      ],
      exports: [REQUEST_LOG, RateLimits, Drain],
    };
  }
}
