import { type ConfigLocation, type ConnectClient, inConfigHome } from '../client.ts'

const locations: readonly ConfigLocation[] = [{ variable: 'CRUSH_GLOBAL_CONFIG', below: '' }, ...inConfigHome('crush')]

/**
 * Crush's current format is a script that it runs (`crushrc`); we write only data to users' files, so `crush.json` is
 * used, which every release reads.
 */
export const crush: ConnectClient = {
  id: 'crush',
  name: 'Crush',
  dialect: 'chat',
  link: 'file',
  files: [
    {
      format: 'json',
      locations: { win32: locations, darwin: locations, linux: locations },
      names: ['crush.json'],
      begins: [{ path: ['$schema'], value: 'https://charm.land/crush.json' }],
      settings: ({ address, key, model }) => [
        { path: ['providers', 'switchyard', 'name'], value: 'Switchyard' },
        { path: ['providers', 'switchyard', 'type'], value: 'openai-compat' },
        { path: ['providers', 'switchyard', 'base_url'], value: `${address}/v1` },
        { path: ['providers', 'switchyard', 'api_key'], value: key, isSecret: true },
        {
          path: ['providers', 'switchyard', 'models'],
          value: [{ id: model, name: model, context_window: 128_000, default_max_tokens: 8192 }],
        },
        { path: ['models', 'large'], value: { provider: 'switchyard', model } },
        { path: ['models', 'small'], value: { provider: 'switchyard', model } },
      ],
    },
  ],
}
