import { type ConnectClient, everywhere } from '../client.ts'

/** Aider's file may set any of its flags; the file in the home folder applies if the project has no such file. */
export const aider: ConnectClient = {
  id: 'aider',
  name: 'Aider',
  dialect: 'chat',
  link: 'file',
  tried: '0.86.2',
  files: [
    {
      format: 'yaml',
      locations: everywhere(''),
      names: ['.aider.conf.yml'],
      settings: ({ address, key, model }) => [
        { path: ['model'], value: `openai/${model}` },
        { path: ['openai-api-base'], value: `${address}/v1` },
        { path: ['openai-api-key'], value: key, isSecret: true },
      ],
    },
  ],
}
