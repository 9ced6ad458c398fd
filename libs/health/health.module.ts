import { Module } from '@nestjs/common';
import { Readiness } from './readiness.js';

/** Whether the services that the process needs answer. */
@Module({ providers: [Readiness], exports: [Readiness] })
export class HealthModule {}
