import Koa from 'koa'
import { isConnectionLoss } from '../base/log/faults.ts'
import type { Logger } from '../base/log/logger.ts'

/** An empty application in which every request has an id, and unhandled faults are logged under it. */
export function createKoa(log: Pick<Logger, 'error'>): Koa {
  const app = new Koa()
  // Koa also reports disconnected callers and callers' errors; any other error is a fault, since our refusals are
  // handled further in.
  app.on('error', (error, ctx) => {
    // A refusal by Koa itself, or a body that is not valid HTTP.
    const isCallers = error.status < 500 || String(error.code).startsWith('HPE_')
    if (!isCallers && !isConnectionLoss(error))
      log.error('console request failed', { requestId: ctx?.state.requestId, error })
  })
  app.use((ctx, next) => {
    ctx.state.requestId = ctx.res.getHeader('x-request-id')
    return next()
  })
  return app
}
