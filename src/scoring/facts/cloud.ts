/** Facts about calls of cloud platforms. */
import { type FactRow, unique } from './fact-row.ts';

export const CLOUD_FACTS: readonly FactRow[] = [
  {
    name: 'cloud_calls',
    type: 'list<object>',
    about: 'Each call of a cloud platform that needs a look (`grade` 2) or a person (3), with its deed and operation.',
    since: '0.1.0',
    is_public: false,
    nearest: 'cloud_deeds',
    fields: { deed: 'string', grade: 'int', operation: 'string', is_public: 'bool' },
    of: (r) => r.cloud_calls,
  },
  {
    name: 'cloud_deeds',
    type: 'list<string>',
    about:
      'What calls of cloud platforms do: `mints_credential`, `stops_logging`, `shares_copy`, `opens_network` and others.',
    since: '0.1.0',
    is_public: true,
    of: (r) => unique(r.cloud_calls.map(({ deed }) => deed)),
  },
];
