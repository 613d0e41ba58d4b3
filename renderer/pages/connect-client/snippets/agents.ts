import { assigned, ENVIRONMENT, inShell, json, quoted, type Snippet, type Target } from './snippet.ts'
import { whole } from './written.ts'

const claudeVariables = ({ address, key, model }: Target) => ({
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_AUTH_TOKEN: key,
  ANTHROPIC_MODEL: model,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
})
const geminiVariables = ({ address, key, model }: Target) => ({
  GOOGLE_GEMINI_BASE_URL: address,
  GEMINI_API_KEY: key,
  GEMINI_MODEL: model,
})
const qwenVariables = ({ address, key, model }: Target) => ({
  OPENAI_BASE_URL: `${address}/v1`,
  OPENAI_API_KEY: key,
  OPENAI_MODEL: model,
})

const claudeCode: readonly Snippet[] = [
  {
    id: 'claude-code',
    program: 'Claude Code',
    name: 'Claude Code',
    variant: ENVIRONMENT,
    language: 'shell',
    text: (target) => inShell(target.system, claudeVariables(target), 'claude -p "Hello"'),
  },
  {
    id: 'claude-code-file',
    program: 'Claude Code',
    name: 'settings.json',
    variant: 'settings.json',
    file: '~/.claude/settings.json',
    language: 'json',
    text: (target) => json(whole('claude-code', 0, target)),
  },
]

const codex: readonly Snippet[] = [
  {
    id: 'codex',
    program: 'Codex',
    name: 'Codex',
    variant: ENVIRONMENT,
    language: 'shell',
    text({ address, key, model, system }) {
      const settings = {
        model,
        model_provider: 'switchyard',
        'model_providers.switchyard.name': 'Switchyard',
        'model_providers.switchyard.base_url': `${address}/v1`,
        'model_providers.switchyard.env_key': 'SWITCHYARD_KEY',
        'model_providers.switchyard.wire_api': 'responses',
      }
      const options = Object.entries(settings).map(([name, value]) => `-c ${quoted(system, `${name}=${value}`)}`)
      const goOn = system === 'windows' ? ' `\n  ' : ' \\\n  '
      const command = ['codex exec --skip-git-repo-check', ...options, '"Hello"'].join(goOn)
      return inShell(system, { SWITCHYARD_KEY: key }, command)
    },
  },
  {
    id: 'codex-file',
    program: 'Codex',
    name: 'config.toml',
    variant: 'config.toml',
    file: '~/.codex/config.toml',
    language: 'toml',
    text: ({ address, key, model, system }) => `# Codex reads the key from its environment:
# ${assigned(system, 'SWITCHYARD_KEY', key)}
model = ${JSON.stringify(model)}
model_provider = "switchyard"

[model_providers.switchyard]
name = "Switchyard"
base_url = ${JSON.stringify(`${address}/v1`)}
env_key = "SWITCHYARD_KEY"
wire_api = "responses"`,
  },
]

const geminiCli: readonly Snippet[] = [
  {
    id: 'gemini-cli',
    program: 'Gemini CLI',
    name: 'Gemini CLI',
    variant: ENVIRONMENT,
    language: 'shell',
    text: (target) => inShell(target.system, geminiVariables(target), 'gemini -p "Hello"'),
  },
  {
    id: 'gemini-cli-env',
    program: 'Gemini CLI',
    name: '.env',
    variant: '.env',
    file: '~/.gemini/.env',
    language: 'env',
    text: (target) =>
      Object.entries(geminiVariables(target))
        .map(([name, value]) => `${name}="${value}"`)
        .join('\n'),
  },
  {
    id: 'gemini-cli-file',
    program: 'Gemini CLI',
    name: 'settings.json',
    variant: 'settings.json',
    file: '~/.gemini/settings.json',
    language: 'json',
    text: (target) => json(whole('gemini-cli', 1, target)),
  },
]

const qwenCode: readonly Snippet[] = [
  {
    id: 'qwen-code',
    program: 'Qwen Code',
    name: 'Qwen Code',
    variant: ENVIRONMENT,
    language: 'shell',
    text: (target) => inShell(target.system, qwenVariables(target), 'qwen -p "Hello"'),
  },
  {
    id: 'qwen-code-file',
    program: 'Qwen Code',
    name: 'settings.json',
    variant: 'settings.json',
    file: '~/.qwen/settings.json',
    language: 'json',
    text: (target) => json(whole('qwen-code', 0, target)),
  },
]

const opencode: readonly Snippet[] = [
  {
    id: 'opencode-file',
    program: 'opencode',
    name: 'opencode.json',
    variant: 'opencode.json',
    file: '~/.config/opencode/opencode.json',
    language: 'json',
    text: (target) => json(whole('opencode', 0, target)),
  },
]

/** Coding agents, by environment variables and by files (docs/clients.md). */
export const agentSnippets: readonly Snippet[] = [...claudeCode, ...codex, ...geminiCli, ...qwenCode, ...opencode]
