import { resetFactors, resetLogin, resetOptions, resetPassword } from './accounts.ts'
import { backup } from './backup.ts'
import { channel } from './channel.ts'
import type { Command } from './command.ts'
import { connect } from './connect.ts'
import { exporting } from './export.ts'
import { healthCheck } from './health-check.ts'
import { importing } from './import.ts'
import { key } from './key.ts'
import { move } from './move.ts'
import { node } from './node.ts'
import { restore } from './restore.ts'
import { token } from './token.ts'

/**
 * Every command by name, in the order of `--help`. To add one, add a file to this folder and a line here; `serve` is
 * not listed, since it is the default.
 */
export const commands: Readonly<Record<string, Command>> = Object.fromEntries([
  ['doctor', healthCheck],
  ['backup', backup],
  ['restore', restore],
  ['move', move],
  ['node', node],
  ['key', key],
  ['token', token],
  ['channel', channel],
  ['export', exporting],
  ['connect', connect],
  ['import', importing],
  ['reset-login', resetLogin],
  ['reset-password', resetPassword],
  ['reset-2fa', resetFactors],
  ['reset-options', resetOptions],
])
