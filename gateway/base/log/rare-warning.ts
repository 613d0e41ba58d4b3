import type { Clock } from '../clock.ts'
import { createLineLimit } from './line-limit.ts'
import type { Logger } from './logger.ts'

type RareWarningDeps = Readonly<{ log: Pick<Logger, 'warn'>; clock: Pick<Clock, 'monotonic'> }>

/**
 * Warns operators of events that anyone can provoke: at most one line per message and minute; the next one reports how
 * many were `left_out` (docs/reference/security.md#input).
 */
export function createRareWarning({ log, clock }: RareWarningDeps): Logger['warn'] {
  const limit = createLineLimit(clock, 1)
  return (message, fields = {}) => {
    const { isWritten, leftOut } = limit.admit(message)
    if (isWritten) log.warn(message, leftOut > 0 ? { ...fields, left_out: leftOut } : fields)
  }
}
