import { isObject, numberIn, objectIn, parsed } from '../../base/json.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { mappedModel } from '../../channels/registry/model-name.ts'
import { admitCall, admitCaller, type Plan } from '../admission/admit.ts'
import type { Arrival } from '../model/request-context.ts'
import { readBody } from '../intake/body.ts'
import { gatherAnswer } from '../upstream/gather.ts'
import { wishOf } from '../adaptation/model-suffix.ts'
import { editObject } from '../intake/json-spans.ts'
import { promptOf } from '../tokens/prompt-size.ts'
import { providerFor } from '../providers/index.ts'
import { Route } from '../routing/route.ts'
import { isReferring, pinned, recall } from '../stored/recall.ts'
import type { Found } from '../intake/surface.ts'
import { type Body, type Call, jsonBody, understood } from '../intake/parse.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { wayTo } from '../upstream/upstream-endpoint.ts'
import { ask } from './ask.ts'
import { sendJson } from './reply.ts'
import type { SideDeps } from './auxiliary-deps.ts'

/**
 * Counts the tokens of a request that is not sent: Anthropic's `count_tokens`, Gemini's `countTokens`, OpenAI's
 * `input_tokens`. Who may not send it may not have it counted; nothing is charged or written down. The channel's own
 * vendor counts where it can, else the gateway does as it does for usage (spec/relay.md §6.7).
 */
export async function answerCount(deps: SideDeps, arrival: Arrival, found: Found): Promise<void> {
  const { relay } = deps
  const { caller, suffix } = deps.identify(arrival)
  admitCaller(relay, caller, arrival, suffix)
  const sent = await jsonBody(await readBody(arrival.request, relay.bodies.roomFor(arrival.response)))
  const asked = await understood(found, await unwrapped(found, sent))
  const { call, home } = isReferring(asked) ? await recall(relay.stored, caller, asked) : { call: asked, home: null }
  const plan = pinned(admitCall(relay, caller, call, suffix), home)
  const channel = channelFor(deps, plan, call)
  const vendors = await vendorsCount(deps, arrival, channel, call, sent)
  if (vendors) return sendJson(arrival, 200, vendors)
  sendJson(arrival, 200, shapes[call.format](await ownCount(deps, channel, call)))
}

/** Gemini takes the whole request in one field as well. */
async function unwrapped({ route }: Found, body: Body): Promise<Body> {
  const { generateContentRequest: request } = body.json
  return route.endpoint === 'generate' && isObject(request) ? jsonBody(Buffer.from(JSON.stringify(request))) : body
}

/** The channel that the request itself would go to. */
function channelFor({ relay }: SideDeps, plan: Plan, call: Call): ActiveChannel {
  const route = new Route(relay, call, plan, { attempts: [], skipped: [] }, undefined)
  const channel = route.next()
  if (!channel) throw route.refusal()
  return channel
}

/** The answer of the channel's vendor; undefined where it cannot count, or does not want to. */
async function vendorsCount(
  { relay, log }: SideDeps,
  arrival: Arrival,
  channel: ActiveChannel,
  call: Call,
  sent: Body,
): Promise<object | undefined> {
  const { endpoint } = call
  const path = providerFor(channel.typeName)?.counts?.[endpoint]
  if (!path || call.previousId !== undefined) return undefined
  const { model } = wishOf(relay.settings, call, endpoint, mappedModel(call.model, channel.modelMapping))
  const body = withModel(call, sent, model)
  try {
    const reply = await ask(relay, arrival, { channel, endpoint, model, method: 'POST', path, body })
    const json = objectIn(parsed((await gatherAnswer(reply)).toString()))
    return numberIn(json.input_tokens ?? json.totalTokens) === undefined ? undefined : json
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    log.info('counted here', { requestId: arrival.requestId, channel: channel.id, status: error.status })
    return undefined
  }
}

/** The body with the upstream's name of the model wherever it has one. */
function withModel({ format, model: asked }: Call, { bytes, json, outline }: Body, model: string): Buffer {
  if (format !== 'gemini') return model === asked ? bytes : editObject(bytes, outline, new Map([['model', model]]))
  const { generateContentRequest: request } = json
  if (!isObject(request)) return bytes
  const named = { ...request, model: `models/${model}` }
  return editObject(bytes, outline, new Map([['generateContentRequest', named]]))
}

async function ownCount({ relay }: SideDeps, channel: ActiveChannel, call: Call): Promise<number> {
  const name = mappedModel(call.model, channel.modelMapping)
  const way = wayTo(providerFor(channel.typeName), call.endpoint, name) ?? call.endpoint
  const { model } = wishOf(relay.settings, call, way, name)
  const { texts, extra } = promptOf(relay, call)
  const { tokens } = await relay.counter.count(model, texts)
  return tokens + extra
}

const shapes: Readonly<Record<Call['format'], (tokens: number) => object>> = {
  anthropic: (input_tokens) => ({ input_tokens }),
  gemini: (totalTokens) => ({ totalTokens }),
  responses: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
  openai: (input_tokens) => ({ input_tokens }),
}
