import { Module } from '@nestjs/common';
import { VoicesController } from './voices.controller.js';
import { Voices } from './voices.service.js';

@Module({ controllers: [VoicesController], providers: [Voices] })
export class VoicesModule {}
