import { channelStatus } from '../../../shared/enums.ts'
import { percentDecoded } from '../../base/bytes/percent.ts'
import { type GatewayError, refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { LARGE } from '../../base/json/json-scan.ts'
import { writeJson } from '../../base/json/json-write.ts'
import { type ActiveChannel, withKey } from '../../channels/registry/active-channel.ts'
import { admitCaller } from '../admission/admit.ts'
import { type Caller, rowOwnerOf } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import { providerFor } from '../providers/index.ts'
import type { Target } from '../providers/provider.ts'
import { responseBytes } from '../stored/content.ts'
import { BYTES_PER_CHARACTER, conversationOf } from '../stored/load-history.ts'
import { responseElsewhere } from '../stored/recall.ts'
import type { ResponseLocation } from '../stored/stored-responses.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { AuxiliaryDeps } from './auxiliary-deps.ts'
import { sendAuxiliary } from './auxiliary-request.ts'
import { forwardAnswer } from './forward.ts'
import { itemPage } from './item-page.ts'
import { sendError, sendJson } from './reply.ts'

/** Actions on a stored response (OpenAI's API reference, "Responses"). */
export type StoredResponseAction = 'retrieve' | 'delete' | 'cancel' | 'input_items'

/**
 * Handles a request about a stored response of the caller: locally if it is stored here, else through the channel whose
 * vendor stores it. Sends 404 for an id that is unknown, expired or owned by another account.
 */
export async function answerStored(
  deps: AuxiliaryDeps,
  context: RequestContext,
  action: StoredResponseAction,
  part: string,
): Promise<void> {
  const found = deps.identify(context)
  const { caller, suffix } = found instanceof Promise ? await found : found
  admitCaller(deps.relay, caller, context, suffix)
  const id = percentDecoded(part)
  const owner = rowOwnerOf(caller)
  // Reading and decrypting a response takes milliseconds, and costs its caller nothing.
  await yieldToOthers()
  const stored = await deps.relay.stored.find(owner, id)
  if (!stored) throw noResponse(id)
  if ('channelId' in stored) return forward(deps, context, caller, channelOf(deps, stored, id), { action, id })
  if (action === 'delete') {
    await deps.relay.stored.remove(owner, id)
    return sendJson(context, 200, { id, object: 'response', deleted: true })
  }
  const memory = deps.relay.bodies.shareFor(context.owner, caller.account.id)
  const params = new URLSearchParams(context.query)
  if (action === 'input_items') {
    const history = await conversationOf(deps.relay.stored, owner, id, stored.content, memory)
    if (!history) throw noResponse(id)
    return sendJson(context, 200, await writeJson(itemPage(history.input, params), history.characters > LARGE))
  }
  if (params.get('stream') === 'true')
    throw refuse('invalid', 'relay.fieldInvalid', { field: 'stream' }, { code: 'invalid_request', param: 'stream' })
  memory.grow(stored.content.length * BYTES_PER_CHARACTER)
  sendJson(context, 200, responseBytes(stored.content))
}

const noResponse = (id: string): GatewayError =>
  refuse('missing', 'relay.noResponse', { id }, { code: 'response_not_found', param: 'id' })

function channelOf(
  { relay: { registry } }: AuxiliaryDeps,
  { channelId, keyId }: ResponseLocation,
  id: string,
): ActiveChannel {
  const channel = registry.channel(channelId)
  const keyed = channel?.status === channelStatus.enabled ? withKey(channel, keyId) : undefined
  if (!keyed) throw responseElsewhere(id, 'id')
  return keyed
}

type Forwarded = Readonly<{ action: StoredResponseAction; id: string }>

/**
 * Forwards the request to the vendor and streams its response, or sends its error without secrets. A response that the
 * vendor has deleted is forgotten before its caller gets the vendor's answer.
 */
async function forward(
  deps: AuxiliaryDeps,
  context: RequestContext,
  caller: Caller,
  channel: ActiveChannel,
  request: Forwarded,
): Promise<void> {
  const { action, id } = request
  const methods = { retrieve: 'GET', input_items: 'GET', cancel: 'POST', delete: 'DELETE' } as const
  const path = (target: Target) => pathOf(target, request, context.query)
  try {
    const reply = await sendAuxiliary(deps.relay, context, {
      channel,
      endpoint: 'responses',
      model: '',
      method: methods[action],
      path,
    })
    if (action === 'delete') await deps.relay.stored.remove(rowOwnerOf(caller), id)
    await forwardAnswer(
      deps.relay,
      reply,
      channel,
      context,
      deps.relay.bodies.shareFor(context.owner, caller.account.id),
    )
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    sendError(context, error, { channel })
  }
}

/**
 * The URL of the request below that of the vendor's Responses API, whose own query stays; the caller's query is added
 * without its key. Undefined if the vendor has no such API.
 */
function pathOf(target: Target, { action, id }: Forwarded, query: string): string | undefined {
  const url = URL.parse(providerFor(target.channel.typeName)?.paths.responses?.(target) ?? '')
  if (!url) return undefined
  url.pathname += `/${encodeURIComponent(id)}`
  if (action === 'cancel' || action === 'input_items') url.pathname += `/${action}`
  for (const [name, value] of new URLSearchParams(query)) if (name !== 'key') url.searchParams.append(name, value)
  return url.href
}
