import { type ConnectClient, inConfigHome } from '../client.ts'

/** Reads keys only from the system's keychain or the environment, under the provider's name. */
export const zed: ConnectClient = {
  id: 'zed',
  name: 'Zed',
  dialect: 'chat',
  link: 'file',
  variables: ({ key }) => ({ SWITCHYARD_API_KEY: key }),
  files: [
    {
      format: 'json',
      locations: {
        win32: [{ variable: 'APPDATA', below: 'Zed' }, { below: 'AppData/Roaming/Zed' }],
        darwin: [{ below: '.config/zed' }],
        linux: [{ variable: 'FLATPAK_XDG_CONFIG_HOME', below: 'zed' }, ...inConfigHome('zed')],
      },
      names: ['settings.json'],
      settings: ({ address, model }) => [
        { path: ['language_models', 'openai_compatible', 'Switchyard', 'api_url'], value: `${address}/v1` },
        {
          path: ['language_models', 'openai_compatible', 'Switchyard', 'available_models'],
          value: [{ name: model, max_tokens: 128_000 }],
        },
        { path: ['agent', 'default_model'], value: { provider: 'Switchyard', model } },
      ],
    },
  ],
}
