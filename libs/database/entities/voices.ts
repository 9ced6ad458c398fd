import { Column, Entity, Unique } from 'typeorm';
import type { Manner } from '#libs/contract/brief.js';
import { OwnedEntity } from './owned-row.js';

/** A user's named brief for writing, such as a brand voice. */
@Entity('voices')
@Unique('voices_name', ['userId', 'name'])
export class VoiceEntity extends OwnedEntity {
  @Column('text')
  name!: string;

  @Column('jsonb')
  manner!: Manner;
}
