import { ENVIRONMENT, inShell, json, type Snippet } from './snippet.ts'

/** Zed has its providers in a file, and their keys in its own key chain or in the environment, under the provider's name. */
export const zedSnippets: readonly Snippet[] = [
  {
    id: 'zed-file',
    program: 'Zed',
    name: 'settings.json',
    variant: 'settings.json',
    file: '~/.config/zed/settings.json',
    windowsFile: '%APPDATA%\\Zed\\settings.json',
    language: 'json',
    text: ({ address, model }) =>
      json({
        language_models: {
          openai_compatible: {
            Switchyard: { api_url: `${address}/v1`, available_models: [{ name: model, max_tokens: 128_000 }] },
          },
        },
      }),
  },
  {
    id: 'zed',
    program: 'Zed',
    name: 'Zed',
    variant: ENVIRONMENT,
    language: 'shell',
    text: ({ key, system }) => inShell(system, { SWITCHYARD_API_KEY: key }, 'zed'),
  },
]
