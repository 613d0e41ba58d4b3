import pino from 'pino'
import { type Clock, systemClock } from '../clock.ts'
import { createLineLimit } from './line-limit.ts'
import type { LogTarget } from './log-file.ts'

export type Fields = Readonly<Record<string, unknown>>
/**
 * Logs a constant message with fields; never prompt or response text, never a secret
 * (docs/reference/security.md#input).
 */
export interface Logger {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

const HIDDEN = /^(key|password|token|authorization|cookie|secret|access_token|api_key)$/i
const KEYLIKE = /\b(sk-|Bearer\s+)[\w.~+/-]{6,}/g
const USERS = /(:\/\/)[^\s/?#]*@/g
const MAX_LENGTH = 2048

/**
 * Writes JSON lines to standard output or `target`: escapes control characters, cuts fields at 2 KiB, and redacts
 * secrets by name and by shape. Writes at most `MAX_LINES_PER_MINUTE` lines per message and minute; the next one
 * reports how many were `left_out`.
 */
export function createLogger(
  level: LogLevel,
  { clock = systemClock, target = standardOutput() }: LoggerDeps = {},
): Logger {
  const limit = createLineLimit(clock)
  const out = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    target,
  )
  const at =
    (grade: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: Fields = {}) => {
      if (!out.isLevelEnabled(grade)) return
      const { isWritten, leftOut } = limit.admit(message)
      if (isWritten) out[grade](leftOut > 0 ? { ...redact(fields), left_out: leftOut } : redact(fields), message)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

type LoggerDeps = Readonly<{ clock?: Pick<Clock, 'monotonic'>; target?: LogTarget }>

/** A failure to write the log (a full disk, a closed reader) must not end the gateway. */
const standardOutput = (): LogTarget => pino.destination({ dest: 1, sync: true }).on('error', () => {})

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function redact(fields: Fields): Fields {
  const clean: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) clean[name] = HIDDEN.test(name) ? '[hidden]' : redacted(value)
  return clean
}

function redacted(value: unknown): unknown {
  if (value instanceof Error) return { ...factsOf(value), message: mask(value.message), stack: mask(value.stack ?? '') }
  if (typeof value === 'string') return mask(value)
  if (typeof value === 'object' && value !== null) return mask(JSON.stringify(value) ?? '')
  return value
}

const FACTS = ['code', 'error', 'error_description', 'responseCode', 'response'] as const
const MAX_FACT_LENGTH = 300
const MAX_CAUSES = 3

/** Facts of an error and its causes. Leaves out the messages of causes, which may repeat user input. */
function factsOf(error: Error, causes = MAX_CAUSES): Fields {
  const { name, cause } = error
  const facts: Record<string, unknown> = { name }
  for (const fact of FACTS) {
    const detail: unknown = Reflect.get(error, fact)
    if (typeof detail === 'number') facts[fact] = detail
    else if (typeof detail === 'string' && detail !== '') facts[fact] = mask(detail).slice(0, MAX_FACT_LENGTH)
  }
  return cause instanceof Error && causes > 0 ? { ...facts, cause: factsOf(cause, causes - 1) } : facts
}

const mask = (text: string): string =>
  text.slice(0, MAX_LENGTH).replace(KEYLIKE, '$1[hidden]').replace(USERS, '$1[hidden]@')
