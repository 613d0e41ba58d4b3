import { ENVIRONMENT, inShell, json, type Snippet } from './snippet.ts'
import { whole } from './written.ts'

/**
 * Zed configures providers in a file, and their keys in its keychain or in an environment variable named after the
 * provider.
 */
export const zedSnippets: readonly Snippet[] = [
  {
    id: 'zed-file',
    program: 'Zed',
    name: 'settings.json',
    variant: 'settings.json',
    file: '~/.config/zed/settings.json',
    windowsFile: '%APPDATA%\\Zed\\settings.json',
    language: 'json',
    text: (target) => json(whole('zed', 0, target)),
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
