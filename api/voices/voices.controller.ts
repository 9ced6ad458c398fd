import { Body, Controller, Param, ParseUUIDPipe } from '@nestjs/common';
import type { Identity } from '#libs/accounts/identity.js';
import { routes, type Answer, type RouteBody } from '#libs/contract/routes/table.js';
import { voiceNotFound } from '#libs/contract/brief.js';
import { CurrentIdentity, Route } from '../http/route.js';
import { Voices } from './voices.service.js';

const voiceId = new ParseUUIDPipe({ exceptionFactory: voiceNotFound });

@Controller()
export class VoicesController {
  constructor(private readonly voices: Voices) {}

  @Route('listVoices')
  async list(@CurrentIdentity() { userId }: Identity): Promise<Answer<'listVoices'>> {
    return { success: true, voices: await this.voices.list(userId) };
  }

  @Route('addVoice')
  async add(
    @CurrentIdentity() { userId }: Identity,
    @Body({ schema: routes.addVoice.body }) voice: RouteBody<'addVoice'>,
  ): Promise<Answer<'addVoice'>> {
    return { success: true, voice: await this.voices.add(userId, voice) };
  }

  @Route('setVoice')
  async set(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', voiceId) id: string,
    @Body({ schema: routes.setVoice.body }) voice: RouteBody<'setVoice'>,
  ): Promise<Answer<'setVoice'>> {
    return { success: true, voice: await this.voices.set(userId, id, voice) };
  }

  @Route('deleteVoice')
  async delete(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', voiceId) id: string,
  ): Promise<Answer<'deleteVoice'>> {
    await this.voices.delete(userId, id);
    return { success: true, message: 'Deleted' };
  }
}
