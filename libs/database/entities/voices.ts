import { Column, Entity, Unique } from 'typeorm';
import type { Manner } from '#libs/contract/brief.js';
import { OwnedEntity } from './owned-row.js';

/** A named writing brief of a user. */
@Entity('voices')
@Unique('voices_name', ['userId', 'name'])
export class VoiceEntity extends OwnedEntity {
  @Column('text')
  name!: string;

  @Column('jsonb')
  manner!: Manner;
}
