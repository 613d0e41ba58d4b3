import { yieldToOthers } from '../../base/fair-yield.ts'
import { isObject, numberIn, objectIn } from '../../base/json/json.ts'
import { SMALL } from '../../base/json/json-scan.ts'
import { editYielding } from '../../base/json/json-spans.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { mappedModel } from '../../channels/registry/model-name.ts'
import { modelSuffixOf } from '../adaptation/model-suffix.ts'
import { readBody } from '../intake/body.ts'
import { callFrom, jsonBody } from '../intake/parse.ts'
import type { Body, Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { Endpoint, RouteMatch } from '../model/endpoint.ts'
import type { Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import { providerFor } from '../providers/index.ts'
import { RelayedRequest } from '../relayed-request.ts'
import { Route } from '../routing/route.ts'
import { isReferring, recalled } from '../stored/recall.ts'
import { promptOf } from '../tokenizer/prompt-size.ts'
import { gatherJson } from '../upstream/gather.ts'
import { endpointAt } from '../upstream/upstream-endpoint.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { AuxiliaryDeps } from './auxiliary-deps.ts'
import { sendAuxiliary } from './auxiliary-request.ts'
import { sendJson } from './reply.ts'

/**
 * Counts the tokens of a request without sending it: Anthropic's `count_tokens`, Gemini's `countTokens`, OpenAI's
 * `input_tokens`. Requires the same permissions as sending it, and counts as a model request; nothing is charged or
 * logged. The channel's vendor counts if it can; otherwise the gateway counts as it does for usage
 * (docs/reference/endpoints.md#token-counting).
 */
export async function answerCount(deps: AuxiliaryDeps, context: RequestContext, found: RouteMatch): Promise<void> {
  const request = new RelayedRequest(deps.relay, context)
  try {
    await count(deps, request, found)
    request.succeed()
  } finally {
    request.fail()
  }
}

async function count(deps: AuxiliaryDeps, request: RelayedRequest, found: RouteMatch): Promise<void> {
  const { relay } = deps
  const { context } = request
  const { caller, suffix } = await request.enter(() => deps.identify(context))
  const share = relay.bodies.shareFor(context.owner, caller.account.id)
  const sent = await jsonBody(await readBody(context.request, share), share)
  const received = await callFrom(found, await unwrapped(found, sent))
  const planned = request.admit(caller, received)
  await relay.words.checkPrompt(received.json, received.format, context.requestId)
  const { call, plan } = isReferring(received) ? await recalled(relay, context, { caller, suffix }, planned) : planned
  const channel = await channelFor(deps, plan, call, caller)
  const vendors = await vendorsCount(deps, context, channel, call, sent)
  if (vendors) return sendJson(context, 200, vendors)
  sendJson(context, 200, shapes[call.format](await ownCount(deps, caller.account.id, channel, call)))
}

/** Gemini also accepts the whole request in one member. */
async function unwrapped({ route }: RouteMatch, body: Body): Promise<Body> {
  const { generateContentRequest: request } = body.json
  const span = body.spans.members.find(({ key }) => key === 'generateContentRequest')
  const isWrapped = route.endpoint === 'generate' && isObject(request) && span
  return isWrapped ? jsonBody(body.bytes.subarray(span.valueStart, span.valueEnd)) : body
}

async function channelFor({ relay }: AuxiliaryDeps, plan: Plan, call: Call, caller: Caller): Promise<ActiveChannel> {
  const route = new Route(relay, call, plan, { attempts: [], skipped: [] }, undefined, caller)
  await route.prepare()
  const channel = route.next()
  if (!channel) throw route.refusal()
  return channel
}

/**
 * The vendor's response with its count; undefined if the vendor does not support counting, refuses it, or would get the
 * call in another dialect, or if the call continues a stored response or conversation.
 */
async function vendorsCount(
  { relay, log }: AuxiliaryDeps,
  context: RequestContext,
  channel: ActiveChannel,
  call: Call,
  sent: Body,
): Promise<object | undefined> {
  const { endpoint } = call
  const path = providerFor(channel.typeName)?.countTokensPaths?.[endpoint]
  if (!path || call.previousId !== undefined || call.conversation) return undefined
  const name = mappedModel(call.model, channel.modelMapping)
  if (askedAt(relay, { channel, call, name }) !== endpoint) return undefined
  const { model } = modelSuffixOf(relay.settings, call, endpoint, name)
  await relay.checkReferences(sent.json, channel.setting)
  const named = withModel(call, sent, model)
  const body = named instanceof Promise ? await named : named
  try {
    const reply = await sendAuxiliary(relay, context, { channel, endpoint, model, method: 'POST', path, body })
    const json = objectIn(await gatherJson(reply))
    return numberIn(json.input_tokens ?? json.totalTokens) === undefined ? undefined : json
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    log.info('counted here', { requestId: context.requestId, channel: channel.id, status: error.status })
    return undefined
  }
}

/** Replaces the model's name in the body, or in Gemini's `generateContentRequest`, with the upstream's. */
function withModel(call: Call, { bytes, json, spans }: Body, model: string): MaybePromise<Buffer> {
  if (call.format !== 'gemini')
    return model === call.model ? bytes : editYielding(bytes, spans, new Map([['model', model]]))
  if (!isObject(json.generateContentRequest)) return bytes
  return whenKnown(editYielding(call.bytes, call.spans, new Map([['model', `models/${model}`]])), (request) =>
    editYielding(bytes, spans, new Map([['generateContentRequest', request]])),
  )
}

async function ownCount(
  { relay }: AuxiliaryDeps,
  accountId: number,
  channel: ActiveChannel,
  call: Call,
): Promise<number> {
  const name = mappedModel(call.model, channel.modelMapping)
  const upstreamEndpoint = askedAt(relay, { channel, call, name })
  const { model } = modelSuffixOf(relay.settings, call, upstreamEndpoint, name)
  if (call.bytes.length > SMALL) await yieldToOthers()
  const { texts, extra } = promptOf(relay, call)
  if (call.bytes.length > SMALL) await yieldToOthers()
  const { tokens } = await relay.counter.count(accountId, model, texts)
  return tokens + extra
}

/** The endpoint that would get the request; the caller's own if there is none. */
const askedAt = ({ passThrough }: AuxiliaryDeps['relay'], { channel, call, name }: Counted): Endpoint =>
  endpointAt(channel, call, { name, passThrough }) ?? call.endpoint

/** `name` is the upstream's name of the model. */
type Counted = Readonly<{ channel: ActiveChannel; call: Call; name: string }>

const shapes: Readonly<Record<Call['format'], (tokens: number) => object>> = {
  anthropic: (input_tokens) => ({ input_tokens }),
  gemini: (totalTokens) => ({ totalTokens }),
  responses: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
  openai: (input_tokens) => ({ input_tokens }),
}
