import type { Context } from 'koa'
import { formatMessage, relayLocale } from '../../../shared/messages/format.ts'
import { suggestedRoute } from '../../relay/intake/intended-path.ts'

/** Paths of the console's own API; other unknown paths may be relayed paths with the prefix of another gateway. */
const CONSOLES = /^\/api(?!\/v\d)/

/**
 * The response for an unknown path, in the shape of docs/reference/api.md#statuses; never the console's page. Suggests
 * the most similar relayed path.
 */
export function answerNotFound(ctx: Context): void {
  const { method, path } = ctx
  const meant = CONSOLES.test(path) ? undefined : suggestedRoute(method, path)
  const message =
    meant === undefined
      ? `Invalid URL (${method} ${path})`
      : formatMessage(relayLocale(ctx.headers['accept-language']), 'relay.notFoundNear', { method, path, meant })
  ctx.status = 404
  ctx.body = { error: { message, type: 'invalid_request_error', param: '', code: '' } }
}
