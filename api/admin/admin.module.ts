import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Queue } from 'bullmq';
import type { Application } from 'express';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { AdminController } from './admin.controller.js';
import { AdminSessions } from './admin-sessions.js';
import { boardCookie, BOARD_PATH, queueBoard } from './queue-board.js';

@Module({ controllers: [AdminController], providers: [AdminSessions] })
export class AdminModule implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly sessions: AdminSessions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
    @InjectQueue('text') private readonly text: Queue,
    @InjectQueue('image') private readonly image: Queue,
    @InjectQueue('pdf') private readonly pdf: Queue,
  ) {}

  onModuleInit(): void {
    const express = this.adapterHost.httpAdapter.getInstance<Application>();
    express.use(
      BOARD_PATH,
      queueBoard([this.text, this.image, this.pdf], this.sessions, boardCookie(this.config.publicUrl)),
    );
  }
}
