import { type Fields, type Logger, silentLogger } from '../../gateway/base/log/logger.ts'

export type Warning = Readonly<{ message: string; fields: Fields }>

/** A log that stores only warnings. */
export function aWarningLog(): Logger & Readonly<{ warnings: Warning[] }> {
  const warnings: Warning[] = []
  return { ...silentLogger, warn: (message, fields = {}) => void warnings.push({ message, fields }), warnings }
}
