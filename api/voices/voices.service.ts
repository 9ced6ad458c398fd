import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, Not } from 'typeorm';
import { filledBrief, MAX_VOICES, voiceNotFound, type SetVoice, type Voice } from '#libs/contract/brief.js';
import { requireStorable } from '#libs/contract/validation.js';
import { AppError } from '#libs/contract/errors.js';
import { VoiceEntity } from '#libs/database/entities/voices.js';
import type { Transaction } from '#libs/database/sql.js';
import { lockUser } from '#libs/accounts/lock-user.js';

@Injectable()
export class Voices {
  constructor(private readonly dataSource: DataSource) {}

  async list(userId: string): Promise<Voice[]> {
    const voices = await this.dataSource
      .getRepository(VoiceEntity)
      .find({ where: { userId }, order: { name: 'ASC' } });
    return voices.map(toVoice);
  }

  /** @throws AppError VALIDATION_FAILED if the user has too many voices, or already one with that name */
  async add(userId: string, { name, manner }: SetVoice): Promise<Voice> {
    requireStorable({ name, manner });
    return this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      if ((await transaction.countBy(VoiceEntity, { userId })) >= MAX_VOICES) {
        throw new AppError('VALIDATION_FAILED', `You can have up to ${MAX_VOICES} voices. Delete one first.`);
      }
      const voice = { id: randomUUID(), userId, name, manner: filledBrief(manner) };
      await requireNewName(transaction, voice);
      await transaction.insert(VoiceEntity, voice);
      return toVoice(voice);
    });
  }

  /** @throws AppError NOT_FOUND; VALIDATION_FAILED if another voice has that name */
  async set(userId: string, id: string, { name, manner }: SetVoice): Promise<Voice> {
    requireStorable({ name, manner });
    return this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const voice = { id, userId, name, manner: filledBrief(manner) };
      await requireNewName(transaction, voice);
      const { affected } = await transaction.update(
        VoiceEntity,
        { id, userId },
        { name, manner: voice.manner },
      );
      if (!affected) throw voiceNotFound();
      return toVoice(voice);
    });
  }

  /** @throws AppError NOT_FOUND */
  async delete(userId: string, id: string): Promise<void> {
    const { affected } = await this.dataSource.getRepository(VoiceEntity).delete({ id, userId });
    if (!affected) throw voiceNotFound();
  }
}

const toVoice = ({ id, name, manner }: VoiceEntity): Voice => ({ id, name, manner });

async function requireNewName(
  transaction: Transaction,
  { id, userId, name }: Pick<VoiceEntity, 'id' | 'userId' | 'name'>,
): Promise<void> {
  if (!(await transaction.existsBy(VoiceEntity, { userId, name, id: Not(id) }))) return;
  throw new AppError('VALIDATION_FAILED', `You already have a voice called “${name}”. Choose another name.`, {
    details: [{ field: 'name', message: 'Another voice has this name.' }],
  });
}
