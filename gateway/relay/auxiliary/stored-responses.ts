import { channelStatus } from '../../../shared/enums.ts'
import { percentDecoded } from '../../base/bytes/percent.ts'
import { type GatewayError, refuse } from '../../base/errors.ts'
import { LARGE } from '../../base/json/json-scan.ts'
import { writeJson } from '../../base/json/json-write.ts'
import { type ActiveChannel, withKey } from '../../channels/registry/active-channel.ts'
import { admitCaller } from '../admission/admit.ts'
import { type Caller, rowOwnerOf } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import { providerFor } from '../providers/index.ts'
import type { Target } from '../providers/provider.ts'
import { readContent } from '../stored/content.ts'
import { BYTES_PER_CHARACTER, conversationOf } from '../stored/load-history.ts'
import { responseElsewhere } from '../stored/recall.ts'
import type { ResponseLocation } from '../stored/stored-responses.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { AuxiliaryDeps } from './auxiliary-deps.ts'
import { ask } from './auxiliary-request.ts'
import { forwardAnswer } from './forward.ts'
import { itemPage } from './item-page.ts'
import { sendError, sendJson } from './reply.ts'

/** What can be asked of a response that has been given (OpenAI's API reference, "Responses"). */
export type StoredResponseAction = 'retrieve' | 'delete' | 'cancel' | 'input_items'

/**
 * Answers about a response of the caller's: from here where it is kept here, else from the channel whose vendor
 * keeps it. Refuses (404) an id that is unknown, expired or another account's.
 */
export async function answerKept(
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
  const kept = await deps.relay.stored.find(owner, id)
  if (!kept) throw noResponse(id)
  if ('channelId' in kept) {
    const isDone = await forward(deps, context, caller, channelOf(deps, kept, id), { action, id })
    if (action === 'delete' && isDone) await deps.relay.stored.remove(owner, id)
    return
  }
  if (action === 'delete') {
    await deps.relay.stored.remove(owner, id)
    return sendJson(context, 200, { id, object: 'response', deleted: true })
  }
  const room = deps.relay.bodies.roomFor(context.owner, caller.account.id)
  const asked = new URLSearchParams(context.query)
  if (action === 'input_items') {
    const history = await conversationOf(deps.relay.stored, owner, id, kept.content, room)
    if (!history) throw noResponse(id)
    return sendJson(context, 200, await writeJson(itemPage(history.input, asked), history.characters > LARGE))
  }
  if (asked.get('stream') === 'true')
    throw refuse('invalid', 'relay.fieldInvalid', { field: 'stream' }, { code: 'invalid_request', param: 'stream' })
  room.grow(kept.content.length * BYTES_PER_CHARACTER)
  sendJson(context, 200, readContent(kept.content).response)
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

/** Asks the vendor the same, and passes its answer on as it comes. False where it refused, which is told without its secrets. */
async function forward(
  deps: AuxiliaryDeps,
  context: RequestContext,
  caller: Caller,
  channel: ActiveChannel,
  asked: Forwarded,
): Promise<boolean> {
  const { action } = asked
  const methods = { retrieve: 'GET', input_items: 'GET', cancel: 'POST', delete: 'DELETE' } as const
  const path = (target: Target) => pathOf(target, asked, context.query)
  try {
    const reply = await ask(deps.relay, context, {
      channel,
      endpoint: 'responses',
      model: '',
      method: methods[action],
      path,
    })
    await forwardAnswer(
      deps.relay,
      reply,
      channel,
      context,
      deps.relay.bodies.roomFor(context.owner, caller.account.id),
    )
    return true
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    sendError(context, error, { channel })
    return false
  }
}

/** Below the address of the vendor's Responses API, whose own query stays; the caller's has all but its key. */
function pathOf(target: Target, { action, id }: Forwarded, query: string): string | undefined {
  const url = URL.parse(providerFor(target.channel.typeName)?.paths.responses?.(target) ?? '')
  if (!url) return undefined
  url.pathname += `/${encodeURIComponent(id)}`
  if (action === 'cancel' || action === 'input_items') url.pathname += `/${action}`
  for (const [name, value] of new URLSearchParams(query)) if (name !== 'key') url.searchParams.append(name, value)
  return url.href
}
