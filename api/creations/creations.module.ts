import { Module } from '@nestjs/common';
import { CreationsController } from './creations.controller.js';
import { Creations } from './creations.service.js';

@Module({ controllers: [CreationsController], providers: [Creations] })
export class CreationsModule {}
