import { type ConnectClient, everywhere } from '../client.ts'

/**
 * Uses only the Responses API for providers in its file; the key is in the file, because a desktop has no shell to
 * export it from.
 */
export const codex: ConnectClient = {
  id: 'codex',
  name: 'Codex',
  dialect: 'responses',
  link: 'file',
  tried: '0.169.0',
  files: [
    {
      format: 'toml',
      locations: everywhere('.codex', 'CODEX_HOME'),
      names: ['config.toml'],
      settings: ({ address, key, model }) => [
        { path: ['model'], value: model },
        { path: ['model_provider'], value: 'switchyard' },
        { path: ['model_providers', 'switchyard', 'name'], value: 'Switchyard', isNamedBySessions: true },
        { path: ['model_providers', 'switchyard', 'base_url'], value: `${address}/v1`, isNamedBySessions: true },
        { path: ['model_providers', 'switchyard', 'wire_api'], value: 'responses', isNamedBySessions: true },
        { path: ['model_providers', 'switchyard', 'experimental_bearer_token'], value: key, isSecret: true },
      ],
    },
  ],
}
