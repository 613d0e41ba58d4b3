import { type ConnectClient, inConfigHome } from '../client.ts'

/** Uses `~/.config` on Windows, too; a file with comments ends in `.jsonc`. */
export const opencode: ConnectClient = {
  id: 'opencode',
  name: 'opencode',
  dialect: 'chat',
  link: 'file',
  tried: '1.18.33',
  files: [
    {
      format: 'json',
      locations: {
        win32: inConfigHome('opencode'),
        darwin: inConfigHome('opencode'),
        linux: inConfigHome('opencode'),
      },
      names: ['opencode.jsonc', 'opencode.json'],
      begins: [{ path: ['$schema'], value: 'https://opencode.ai/config.json' }],
      settings: ({ address, key, model }) => [
        { path: ['model'], value: `switchyard/${model}` },
        { path: ['provider', 'switchyard', 'npm'], value: '@ai-sdk/openai-compatible' },
        { path: ['provider', 'switchyard', 'name'], value: 'Switchyard' },
        { path: ['provider', 'switchyard', 'options', 'baseURL'], value: `${address}/v1` },
        { path: ['provider', 'switchyard', 'options', 'apiKey'], value: key, isSecret: true },
        { path: ['provider', 'switchyard', 'models', model], value: {} },
      ],
    },
  ],
}
