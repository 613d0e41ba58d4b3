import { type ConnectClient, everywhere } from '../client.ts'

/** Reads variables from `env` of its settings, in the folder named by `CLAUDE_CONFIG_DIR`. */
export const claudeCode: ConnectClient = {
  id: 'claude-code',
  name: 'Claude Code',
  dialect: 'anthropic',
  link: 'file',
  tried: '2.1.328',
  files: [
    {
      format: 'json',
      locations: everywhere('.claude', 'CLAUDE_CONFIG_DIR'),
      names: ['settings.json'],
      settings: ({ address, key, model }) => [
        { path: ['env', 'ANTHROPIC_BASE_URL'], value: address },
        { path: ['env', 'ANTHROPIC_AUTH_TOKEN'], value: key, isSecret: true },
        { path: ['env', 'ANTHROPIC_MODEL'], value: model },
        { path: ['env', 'ANTHROPIC_DEFAULT_HAIKU_MODEL'], value: model },
      ],
    },
  ],
}
