import { type ConnectClient, everywhere } from '../client.ts'

/** One file for the extension and for `cn`; a model's entry is identified by its name. */
export const continueDev: ConnectClient = {
  id: 'continue',
  name: 'Continue',
  dialect: 'chat',
  link: 'file',
  tried: '1.5.47',
  files: [
    {
      format: 'yaml',
      locations: everywhere('.continue', 'CONTINUE_GLOBAL_DIR'),
      names: ['config.yaml'],
      begins: [
        { path: ['name'], value: 'Local Config' },
        { path: ['version'], value: '1.0.0' },
        { path: ['schema'], value: 'v1' },
      ],
      settings: ({ address, key, model }) => [
        {
          path: ['models', { where: 'name', is: 'Switchyard' }],
          value: { name: 'Switchyard', provider: 'openai', model, apiBase: `${address}/v1`, apiKey: key },
          isSecret: true,
        },
      ],
    },
  ],
}
