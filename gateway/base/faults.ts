import { systemClock } from './clock.ts'
import { requestId } from './ids.ts'
import type { Logger } from './logger.ts'

/** The exit code of a process that a fault of ours has ended. */
export const FAULT_EXIT = 70

type FaultDeps = Readonly<{
  log: Pick<Logger, 'error'>
  /** Called once, for the first fault that leaves the process in doubt; ends it in order. */
  end: (error: unknown) => void
}>

/**
 * What a process does about errors that reached nobody, which must not happen: each is logged under an id. A connection
 * that broke and a promise nobody awaited leave nothing half-done beyond their own request, so the gateway goes on
 * (whoever could provoke one would else stop it at will); after any other exception it drains and ends.
 */
export function watchFaults({ log, end }: FaultDeps): void {
  let ending = false
  process.on('uncaughtException', (error) => {
    const goesOn = ending || isConnectionLoss(error)
    log.error('unexpected fault', { faultId: requestId(systemClock.now()), event: 'uncaughtException', goesOn, error })
    if (goesOn) return
    ending = true
    end(error)
  })
  process.on('unhandledRejection', (error) => {
    const faultId = requestId(systemClock.now())
    log.error('unexpected fault', { faultId, event: 'unhandledRejection', goesOn: true, error })
  })
}

/** Whether an error says nothing but that the other end of a connection is gone. */
export const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && LOSSES.has(String(error.code))

const LOSSES: ReadonlySet<string> = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTCONN',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
])
