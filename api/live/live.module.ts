import { Module } from '@nestjs/common';
import { LiveService } from './live.service.js';

@Module({ providers: [LiveService] })
export class LiveModule {}
