import { systemClock } from '../clock.ts'
import { requestId } from '../ids.ts'
import type { Logger } from './logger.ts'

export const FAULT_EXIT = 70

type FaultDeps = Readonly<{
  log: Pick<Logger, 'error'>
  /** Called once, for the first fault that leaves the process in an unknown state; shuts down gracefully. */
  end: (error: unknown) => void
}>

/**
 * Handles errors that nothing else caught, which indicate a bug: logs each under an id. A broken connection or an
 * unhandled rejection affects only its own request, so the gateway continues (otherwise anyone who can provoke one
 * could stop it); after any other exception it drains and exits.
 */
export function watchFaults({ log, end }: FaultDeps): void {
  let ending = false
  process.on('uncaughtException', (error) => {
    const continues = ending || isConnectionLoss(error)
    log.error('unexpected fault', {
      faultId: requestId(systemClock.now()),
      event: 'uncaughtException',
      goesOn: continues,
      error,
    })
    if (continues) return
    ending = true
    end(error)
  })
  process.on('unhandledRejection', (error) => {
    const faultId = requestId(systemClock.now())
    log.error('unexpected fault', { faultId, event: 'unhandledRejection', goesOn: true, error })
  })
}

/** Returns whether an error only means that the other end of a connection is gone. */
export const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CONNECTION_CODES.has(String(error.code))

const CONNECTION_CODES: ReadonlySet<string> = new Set([
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
