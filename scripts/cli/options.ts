import { Option } from 'commander';

/** What every command can be asked for. */
export interface Output {
  json?: boolean;
}

export const asJson = () => new Option('--json', 'answer in JSON');
