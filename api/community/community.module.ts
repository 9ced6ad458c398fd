import { Module } from '@nestjs/common';
import { CommunityController } from './community.controller.js';
import { Community } from './community.service.js';

@Module({ controllers: [CommunityController], providers: [Community] })
export class CommunityModule {}
