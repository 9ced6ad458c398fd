import { Module } from '@nestjs/common';
import { CreationsModule } from '#libs/creations/creations.module.js';
import { CommunityController } from './community.controller.js';
import { Community } from './community.service.js';

@Module({ imports: [CreationsModule], controllers: [CommunityController], providers: [Community] })
export class CommunityModule {}
