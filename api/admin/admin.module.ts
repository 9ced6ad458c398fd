import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application } from 'express';
import { JobQueue } from '#libs/queue/job-queue.js';
import { AdminController } from './admin.controller.js';
import { AdminSessions } from './admin-sessions.js';
import { BOARD_PATH, queueBoard } from './queue-board.js';

/** What is for operators only: the queue board. */
@Module({ controllers: [AdminController], providers: [AdminSessions] })
export class AdminModule implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly queue: JobQueue,
    private readonly sessions: AdminSessions,
  ) {}

  onModuleInit(): void {
    const express = this.adapterHost.httpAdapter.getInstance<Application>();
    express.use(BOARD_PATH, queueBoard(this.queue, this.sessions));
  }
}
