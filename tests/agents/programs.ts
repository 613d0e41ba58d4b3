import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** One start of an agent: its home, the gateway and the prompt. */
export type Start = Readonly<{
  home: string
  /** The working folder. */
  project: string
  /** The gateway's address, without a path. */
  url: string
  key: string
  model: string
  prompt: string
  /** An image for the prompt. */
  picture?: string
  /** A file whose text is part of the prompt. */
  text?: string
  /** A program that offers tools over the Model Context Protocol. */
  server?: Readonly<{ command: string; args: readonly string[] }>
  /** The model's context window in tokens; the agent's default if absent. */
  window?: number
}>

/** How an agent is started without interaction. */
export type Agent = Readonly<{
  label: string
  command: string
  dialect: 'openai' | 'responses' | 'anthropic' | 'gemini'
  files(start: Start): Readonly<Record<string, string | object>>
  env(start: Start): Readonly<Record<string, string>>
  args(start: Start): readonly string[]
  /** Changes its home after its files are written. */
  settled?(start: Start): void
  /** Arguments that continue the last conversation; if absent, a conversation is a single start. */
  goesOn?: readonly string[]
  /**
   * Arguments that continue the last conversation in another mode, in which the agent may change less, or only plan.
   */
  again?(start: Start): readonly string[]
  /** Standard input made of the prompt file's text, for an agent without a flag for files. */
  input?(text: string): string
  /** Its tool for reading files, and the input; absent for an agent without tools. */
  reads?: Readonly<{ tool: RegExp; input(path: string): object }>
  /** Whether images reach the model through that tool, because there is no flag. */
  picturesByTool?: boolean
  /** The context window, in tokens, that fills up during a task, for an agent that counts tokens itself. */
  window?: number
  /** Features that it lacks without interaction, with the reasons. */
  cannot?: Readonly<Partial<Record<'tools' | 'servers' | 'images' | 'long' | 'compaction', string>>>
}>

const path = (input: Record<string, unknown>) => input
const readFile = { tool: /^read_file$/, input: (file: string) => path({ file_path: file }) }

/** Every supported agent; a release is tested with the first five. */
export const agents = {
  'claude-code': {
    label: 'Claude Code',
    command: 'claude',
    dialect: 'anthropic',
    files: ({ server }) => ({
      '.claude.json': { hasCompletedOnboarding: true },
      ...(server ? { 'servers.json': { mcpServers: { harbour: server } } } : {}),
    }),
    env: ({ url, key, model, window }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      ...(window ? { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(window) } : {}),
    }),
    args: ({ home, prompt, server }) => [
      '-p',
      prompt,
      '--allowedTools',
      'Read,mcp__harbour',
      '--verbose',
      '--output-format',
      'stream-json',
      ...(server ? ['--mcp-config', join(home, 'servers.json')] : []),
    ],
    again: ({ prompt }) => [
      ...['--continue', '--permission-mode', 'plan', '-p', prompt],
      ...['--allowedTools', 'Read', '--verbose', '--output-format', 'stream-json'],
    ],
    reads: { tool: /^Read$/, input: (file) => ({ file_path: file }) },
    picturesByTool: true,
  },
  codex: {
    label: 'Codex',
    command: 'codex',
    dialect: 'responses',
    files: ({ url, model, window, server }) => ({
      '.codex/config.toml': [
        `model = "${model}"`,
        'model_provider = "switchyard"',
        'check_for_update_on_startup = false',
        ...(window ? [`model_context_window = ${window}`, `model_auto_compact_token_limit = ${window}`] : []),
        '[analytics]',
        'enabled = false',
        '[model_providers.switchyard]',
        'name = "Switchyard"',
        `base_url = "${url}/v1"`,
        'env_key = "SWITCHYARD_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 0',
        'stream_max_retries = 0',
        ...(server
          ? [
              '[mcp_servers.harbour]',
              `command = ${JSON.stringify(server.command)}`,
              `args = ${JSON.stringify(server.args)}`,
            ]
          : []),
      ].join('\n'),
    }),
    env: ({ home, key }) => ({ CODEX_HOME: join(home, '.codex'), SWITCHYARD_KEY: key }),
    args: ({ prompt, picture }) => [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      ...(picture ? ['--image', picture, '--'] : []),
      prompt,
    ],
    again: ({ prompt }) => ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', 'resume', '--last', prompt],
    reads: {
      tool: /^(exec_command|shell_command|shell)$/,
      input: (file) => ({ cmd: `cat ${file}`, command: `cat ${file}` }),
    },
  },
  'gemini-cli': {
    label: 'Gemini CLI',
    command: 'gemini',
    dialect: 'gemini',
    files: ({ server }) => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        tools: { useRipgrep: false },
        ...(server ? { mcpServers: { harbour: { ...server, trust: true } } } : {}),
      },
    }),
    env: ({ url, key }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    args: ({ prompt, picture, model }) => ['-p', picture ? `${prompt} @${picture}` : prompt, '-m', model, '--yolo'],
    goesOn: ['--resume', 'latest'],
    // No `again`: a resumed conversation has each function response twice, which Google itself refuses.
    reads: readFile,
  },
  'qwen-code': {
    label: 'Qwen Code',
    command: 'qwen',
    dialect: 'openai',
    files: ({ server }) => ({
      '.qwen/settings.json': {
        security: { auth: { selectedType: 'openai' } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        tools: { useRipgrep: false },
        ...(server ? { mcpServers: { harbour: { ...server, trust: true } } } : {}),
      },
    }),
    env: ({ url, key, model }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model }),
    args: ({ prompt, picture, model }) => ['-p', picture ? `${prompt} @${picture}` : prompt, '-m', model, '--yolo'],
    again: ({ prompt, model }) => ['--continue', '-p', prompt, '-m', model, '--approval-mode', 'plan'],
    reads: readFile,
  },
  opencode: {
    label: 'opencode',
    command: 'opencode',
    dialect: 'openai',
    files: ({ url, key, model, server, window = 1_000_000 }) => ({
      '.config/opencode/opencode.json': {
        autoupdate: false,
        share: 'disabled',
        ...(server ? { mcp: { harbour: { type: 'local', command: [server.command, ...server.args] } } } : {}),
        provider: {
          switchyard: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Switchyard',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: {
              [model]: {
                name: model,
                attachment: true,
                tool_call: true,
                limit: { context: window, output: 16_000 },
                modalities: { input: ['text', 'image'], output: ['text'] },
              },
            },
          },
        },
      },
    }),
    env: ({ home }) => ({
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_STATE_HOME: join(home, '.local/state'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }),
    args: ({ prompt, picture, model }) => [
      'run',
      '--model',
      `switchyard/${model}`,
      prompt,
      ...(picture ? ['--file', picture] : []),
    ],
    again: ({ prompt, model }) => [
      ...['run', '--continue', '--agent', 'plan', '--model', `switchyard/${model}`, prompt],
    ],
    reads: { tool: /^read$/, input: (file) => ({ filePath: file }) },
  },
  aider: {
    label: 'Aider',
    command: 'aider',
    dialect: 'openai',
    files: () => ({}),
    env: ({ url, key }) => ({
      OPENAI_API_BASE: `${url}/v1`,
      OPENAI_API_KEY: key,
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    }),
    args: ({ prompt, picture, text, model }) => [
      '--model',
      `openai/${model}`,
      '--message',
      prompt,
      '--yes-always',
      '--no-git',
      '--no-check-update',
      '--analytics-disable',
      '--no-show-model-warnings',
      '--no-show-release-notes',
      '--no-detect-urls',
      '--no-suggest-shell-commands',
      ...(picture ? [picture] : []),
      ...(text ? ['--read', text] : []),
    ],
    input: () => '',
    cannot: {
      tools: 'it has no tools',
      servers: 'it has no tools',
      compaction: 'it keeps one turn when it is started with a message',
    },
  },
  continue: {
    label: 'Continue',
    command: 'cn',
    dialect: 'openai',
    files: ({ url, key, model, server, window = 1_000_000 }) => ({
      '.continue/config.yaml': {
        name: 'local',
        version: '1.0.0',
        schema: 'v1',
        ...(server ? { mcpServers: [{ name: 'harbour', ...server }] } : {}),
        models: [
          {
            name: model,
            provider: 'openai',
            model,
            apiBase: `${url}/v1`,
            apiKey: key,
            roles: ['chat'],
            capabilities: ['tool_use', 'image_input'],
            defaultCompletionOptions: { contextLength: window, maxTokens: 2000 },
          },
        ],
      },
    }),
    env: ({ home }) => ({
      CONTINUE_GLOBAL_DIR: join(home, '.continue'),
      CONTINUE_TELEMETRY_ENABLED: '0',
      CONTINUE_CLI_ENABLE_TELEMETRY: '0',
      CONTINUE_METRICS_ENABLED: '0',
    }),
    args: ({ home, prompt, text }) => [
      '-p',
      ...(text ? [] : [prompt]),
      '--auto',
      '--config',
      join(home, '.continue/config.yaml'),
    ],
    input: (text) => `What do the first and the last line say?\n${text}`,
    reads: { tool: /^Read$/, input: (file) => ({ filepath: file }) },
    window: 22_000,
    cannot: { images: 'it takes pictures from the clipboard alone' },
  },
} as const satisfies Record<string, Agent>
export type AgentName = keyof typeof agents

/** Writes an agent's settings to its home. */
export async function settle(agent: Agent, start: Start): Promise<void> {
  for (const [name, content] of Object.entries(agent.files(start))) {
    const file = join(start.home, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
  }
  agent.settled?.(start)
}
