import { Body, Controller, Param, ParseUUIDPipe } from '@nestjs/common';
import { routes, type RouteBody } from '#libs/contract/routes/table.js';
import { voiceNotFound } from '#libs/contract/brief.js';
import { Route, UserId } from '../http/route.js';
import { Voices } from './voices.service.js';

const voiceId = new ParseUUIDPipe({ exceptionFactory: voiceNotFound });

@Controller()
export class VoicesController {
  constructor(private readonly voices: Voices) {}

  @Route('listVoices')
  async list(@UserId() userId: string) {
    return { voices: await this.voices.list(userId) };
  }

  @Route('addVoice')
  async add(@UserId() userId: string, @Body({ schema: routes.addVoice.body }) voice: RouteBody<'addVoice'>) {
    return { voice: await this.voices.add(userId, voice) };
  }

  @Route('setVoice')
  async set(
    @UserId() userId: string,
    @Param('id', voiceId) id: string,
    @Body({ schema: routes.setVoice.body }) voice: RouteBody<'setVoice'>,
  ) {
    return { voice: await this.voices.set(userId, id, voice) };
  }

  @Route('deleteVoice')
  async delete(@UserId() userId: string, @Param('id', voiceId) id: string) {
    await this.voices.delete(userId, id);
    return { message: 'Deleted' };
  }
}
