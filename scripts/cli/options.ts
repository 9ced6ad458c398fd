import { Option } from 'commander';

export interface Output {
  json?: boolean;
}

export const asJson = () => new Option('--json', 'answer in JSON');
