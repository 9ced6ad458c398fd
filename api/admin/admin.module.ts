import { InjectQueue } from '@nestjs/bullmq';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Queue } from 'bullmq';
import type { Application } from 'express';
import { AdminController } from './admin.controller.js';
import { AdminSessions } from './admin-sessions.js';
import { BOARD_PATH, queueBoard } from './queue-board.js';

@Module({ controllers: [AdminController], providers: [AdminSessions] })
export class AdminModule implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly sessions: AdminSessions,
    @InjectQueue('text') private readonly text: Queue,
    @InjectQueue('image') private readonly image: Queue,
    @InjectQueue('pdf') private readonly pdf: Queue,
  ) {}

  onModuleInit(): void {
    const express = this.adapterHost.httpAdapter.getInstance<Application>();
    express.use(BOARD_PATH, queueBoard([this.text, this.image, this.pdf], this.sessions));
  }
}
