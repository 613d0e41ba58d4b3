import { join } from 'node:path'
import { createConnectWriter } from '../../gateway/connect/connect.ts'
import { connectClient } from '../../shared/connect/clients.ts'
import { type Agent, type AgentName, agents, type Start } from './programs.ts'

/**
 * Settings that keep an agent quiet in tests but are not needed to connect it; `args` name no model and `env` no
 * address.
 */
type Quiet = Readonly<{
  files?: Readonly<Record<string, string | object>>
  env?: (start: Start) => Readonly<Record<string, string>>
  /** Model flags to omit; the config file must name the model. */
  named?: readonly string[]
}>

const noUpdates = {
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  tools: { useRipgrep: false },
}

const quiet: Readonly<Record<AgentName, Quiet>> = {
  'claude-code': {
    files: { '.claude.json': { hasCompletedOnboarding: true }, '.claude/settings.json': '{\n  "env": {}\n}\n' },
    env: () => ({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1' }),
  },
  codex: {
    files: { '.codex/config.toml': 'check_for_update_on_startup = false # mine\n\n[analytics]\nenabled = false\n' },
    env: ({ home }) => ({ CODEX_HOME: join(home, '.codex') }),
  },
  'gemini-cli': {
    files: { '.gemini/settings.json': { ...noUpdates, security: { folderTrust: { enabled: false } } } },
    env: () => ({ GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    named: ['-m'],
  },
  'qwen-code': { files: { '.qwen/settings.json': noUpdates }, named: ['-m'] },
  opencode: {
    files: { '.config/opencode/opencode.jsonc': '{\n  // mine\n  "autoupdate": false,\n  "share": "disabled",\n}\n' },
    env: agents.opencode.env,
    named: ['--model'],
  },
  aider: { env: () => ({ LITELLM_LOCAL_MODEL_COST_MAP: 'True' }), named: ['--model'] },
  continue: { env: agents.continue.env },
}

/** An agent that knows the gateway only from the files of `switchyard connect` (docs/reference/connect.md#tried). */
export function setUpAgent(name: AgentName): Agent {
  const agent: Agent = agents[name]
  const { files = {}, env = () => ({}), named = [] } = quiet[name]
  return {
    ...agent,
    files: () => files,
    env,
    args: (start) =>
      agent.args(start).filter((word, at, words) => !named.includes(word) && !named.includes(words[at - 1] ?? '')),
    settled: (start) => write(name, start, env(start)),
  }
}

function write(
  id: string,
  { home, url: address, key, model }: Start,
  variables: Readonly<Record<string, string>>,
): void {
  const client = connectClient(id)
  if (!client) throw new Error(`${id} is no program that can be set up`)
  const machine = { platform: process.platform, home, variables }
  const writer = createConnectWriter({ machine, dataFolder: join(home, '.switchyard-data') })
  const target = { address, key, model }
  const again = writer.apply(client, target, writer.plan(client, target).seal)
  if (again) throw new Error(`${id} was changed while it was written`)
}
