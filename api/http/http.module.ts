import { Module, StandardSchemaValidationPipe, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { provideClass, value } from '#libs/config/provide-class.js';
import { validationError } from '#libs/contract/validation.js';
import { createLogger } from '#libs/observability/logger.js';
import { Drain } from './drain.js';
import { ErrorsFilter } from './errors-filter.js';
import { RequestBodies } from './json-body.js';
import { RateLimits } from './rate-limits.js';
import { requestLogOptions } from './request-log.js';
import { UnsentAnswers } from './unsent-answers.js';

export const REQUEST_LOG = Symbol('REQUEST_LOG');

/** For all routes: request log, validation, error responses and rate limits. */
@Module({})
export class HttpModule {
  static forRoot(config: Config): DynamicModule {
    const requestLog = requestLogOptions(createLogger(config.logLevel, 'api'), {
      addresses: config.logAddresses,
    });
    return {
      module: HttpModule,
      global: true,
      imports: [LoggerModule.forRoot({ pinoHttp: requestLog, useExisting: true })],
      providers: [
        { provide: REQUEST_LOG, useValue: requestLog },
        provideClass(RateLimits, [CONFIG]),
        provideClass(Drain, [HttpAdapterHost, value(({ shutdownSeconds }) => shutdownSeconds)]),
        { provide: APP_FILTER, useClass: ErrorsFilter },
        { provide: UnsentAnswers, useValue: new UnsentAnswers() },
        { provide: RequestBodies, useValue: new RequestBodies() },
        {
          provide: APP_PIPE,
          useFactory: () => new StandardSchemaValidationPipe({ exceptionFactory: validationError }),
        },
      ],
      exports: [REQUEST_LOG, RateLimits, Drain, UnsentAnswers, RequestBodies],
    };
  }
}
