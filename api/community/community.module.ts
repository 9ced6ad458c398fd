import { Module } from '@nestjs/common';
import { CommunityController } from './community.controller.js';
import { Community } from './community.service.js';

/** The feed of published images, and their likes. */
@Module({ controllers: [CommunityController], providers: [Community] })
export class CommunityModule {}
