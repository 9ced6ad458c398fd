import { Module } from '@nestjs/common';
import { LiveService } from './live.service.js';

/** The users' sockets. */
@Module({ providers: [LiveService] })
export class LiveModule {}
