import { Controller, Get } from '@nestjs/common';
import type { Identity } from '#libs/accounts/identity.js';
import { CurrentIdentity } from '../auth/current-identity.js';
import { Creations } from './creations.service.js';

@Controller('api/user')
export class CreationsController {
  constructor(private readonly creations: Creations) {}

  @Get('get-user-creations')
  async list(@CurrentIdentity() { userId }: Identity): Promise<object> {
    return { success: true, creations: await this.creations.ofPerson(userId) };
  }
}
