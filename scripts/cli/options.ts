import { Option } from 'commander';

/** Options of every command. */
export interface Output {
  json?: boolean;
}

export const asJson = () => new Option('--json', 'answer in JSON');
