import { json, type Snippet } from './snippet.ts'
import { whole, yaml } from './written.ts'

/** Agents that are set up only by files, as the connect service writes them (shared/connect/clients). */
export const moreAgentSnippets: readonly Snippet[] = [
  {
    id: 'crush-file',
    program: 'Crush',
    name: 'crush.json',
    variant: 'crush.json',
    file: '~/.config/crush/crush.json',
    language: 'json',
    text: (target) => json(whole('crush', 0, target)),
  },
  {
    id: 'goose-provider',
    program: 'Goose',
    name: 'custom_switchyard.json',
    variant: 'custom_switchyard.json',
    file: '~/.config/goose/custom_providers/custom_switchyard.json',
    windowsFile: '%APPDATA%\\Block\\goose\\config\\custom_providers\\custom_switchyard.json',
    language: 'json',
    text: (target) => json(whole('goose', 0, target)),
  },
  {
    id: 'goose-file',
    program: 'Goose',
    name: 'config.yaml',
    variant: 'config.yaml',
    file: '~/.config/goose/config.yaml',
    windowsFile: '%APPDATA%\\Block\\goose\\config\\config.yaml',
    language: 'yaml',
    text: (target) => yaml(whole('goose', 1, target)),
  },
  {
    id: 'continue-file',
    program: 'Continue',
    name: 'config.yaml',
    variant: 'config.yaml',
    file: '~/.continue/config.yaml',
    language: 'yaml',
    text: (target) => yaml(whole('continue', 0, target)),
  },
  {
    id: 'aider-file',
    program: 'Aider',
    name: '.aider.conf.yml',
    variant: '.aider.conf.yml',
    file: '~/.aider.conf.yml',
    language: 'yaml',
    text: (target) => yaml(whole('aider', 0, target)),
  },
]

/** LibreChat configures endpoints in a file on its server. */
export const libreChatSnippets: readonly Snippet[] = [
  {
    id: 'librechat',
    program: 'LibreChat',
    name: 'librechat.yaml',
    variant: 'librechat.yaml',
    language: 'yaml',
    text: ({ address, model }) =>
      // biome-ignore lint/suspicious/noTemplateCurlyInString: LibreChat's syntax for variables
      `${yaml({ endpoints: { custom: [{ name: 'Switchyard', apiKey: '${SWITCHYARD_KEY}', baseURL: `${address}/v1`, models: { default: [model], fetch: true } }] } })}`,
  },
  {
    id: 'librechat-env',
    program: 'LibreChat',
    name: '.env',
    variant: '.env',
    language: 'env',
    text: ({ key }) => `SWITCHYARD_KEY=${key}`,
  },
]
