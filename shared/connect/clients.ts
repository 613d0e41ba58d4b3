import type { ConnectClient } from './client.ts'
import { aider } from './clients/aider.ts'
import { claudeCode } from './clients/claude-code.ts'
import { codex } from './clients/codex.ts'
import { continueDev } from './clients/continue.ts'
import { crush } from './clients/crush.ts'
import { elsewhere } from './clients/elsewhere.ts'
import { geminiCli } from './clients/gemini-cli.ts'
import { goose } from './clients/goose.ts'
import { opencode } from './clients/opencode.ts'
import { qwenCode } from './clients/qwen-code.ts'
import { zed } from './clients/zed.ts'

/** Every known program, those with written files first (docs/reference/connect.md#clients). */
export const connectClients: readonly ConnectClient[] = [
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  opencode,
  crush,
  goose,
  continueDev,
  aider,
  zed,
  ...elsewhere,
]

export const connectClient = (id: string): ConnectClient | undefined =>
  connectClients.find((client) => client.id === id)
