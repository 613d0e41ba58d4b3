import { type ConnectClient, everywhere } from '../client.ts'

/** A provider's entry is identified by the variable with its key. */
export const qwenCode: ConnectClient = {
  id: 'qwen-code',
  name: 'Qwen Code',
  dialect: 'chat',
  link: 'file',
  tried: '0.24.4',
  files: [
    {
      format: 'json',
      locations: everywhere('.qwen', 'QWEN_HOME'),
      names: ['settings.json'],
      settings: ({ address, key, model }) => [
        { path: ['env', 'SWITCHYARD_KEY'], value: key, isSecret: true },
        {
          path: ['modelProviders', 'openai', { where: 'envKey', is: 'SWITCHYARD_KEY' }],
          value: { id: model, name: model, baseUrl: `${address}/v1`, envKey: 'SWITCHYARD_KEY' },
        },
        { path: ['security', 'auth', 'selectedType'], value: 'openai' },
        { path: ['model', 'name'], value: model },
      ],
    },
  ],
}
