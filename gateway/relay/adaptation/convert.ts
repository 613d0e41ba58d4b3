import { channelTypes } from '../../../shared/channel-types.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { LARGE, WIDE } from '../../base/json/json-scan.ts'
import { writeJson } from '../../base/json/json-write.ts'
import { limitedConversation, withinOutputLimit } from '../admission/cap-output.ts'
import type { DialectSettings, RequestTarget, Wire } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Conversation } from '../formats/conversation.ts'
import { fieldName } from '../formats/field-names.ts'
import type { Format } from '../formats/format.ts'
import { portable } from '../formats/portable.ts'
import { summaryRequest } from '../formats/summary-request.ts'
import type { MemoryShare } from '../intake/body-memory.ts'
import { checkNestedJson, checkSchemas } from '../intake/nested-json.ts'
import type { ConversionFacts } from '../model/answer.ts'
import type { Call } from '../model/call.ts'
import type { Cancellation } from '../model/cancellation.ts'
import { decodedRequest } from '../model/decoded-request.ts'
import { conversationFormat, type TalkEndpoint } from '../model/endpoint.ts'
import type { Provider, Target } from '../providers/provider.ts'
import type { StructuredAnswer } from '../transforms/structured-output.ts'
import { overridesFor } from './override-names.ts'
import { type Caching, marksItself, withCacheKey, withCacheMarks } from './prompt-cache.ts'
import { isThinking, structuredConversation, structuredPlan } from './structured-output.ts'
import { FIXED } from './upstream-body.ts'
import { edited, UNCHANGED, type VendorTarget, vendorEdits } from './vendor-edits.ts'
import { type SupportTarget, supportAt } from './vendor-support.ts'

/** A request in the upstream's dialect, and its losses in the caller's names. */
type Converted = Readonly<{
  bytes: Buffer
  dropped: readonly string[]
  structured: StructuredAnswer | undefined
  conversion: ConversionFacts
}>

export type ConvertDeps = Readonly<{
  codecs: Codecs
  /** Fetches files named by URL if the dialect accepts no URLs. */
  withMedia: (conversation: Conversation, mediaTarget: MediaTarget) => Promise<Conversation>
}>

/**
 * The upstream and account that files are fetched for, the caller's cancellation, and the budget that their memory
 * counts against.
 */
export type MediaTarget = Readonly<{
  upstreamEndpoint: TalkEndpoint
  takesUrls: boolean
  accountId: number
  cancellation: Cancellation
  memory: MemoryShare | undefined
}>

type Conversion = Readonly<{
  call: Call
  vendor: VendorTarget
  mediaTarget: MediaTarget
  wire: Wire
  target: Omit<RequestTarget, 'drop'>
  adapt: (conversation: Conversation) => Conversation
  caching: Caching
}>

export const writtenFor = (
  { dialects }: Readonly<{ dialects: () => DialectSettings }>,
  provider: Provider,
  { channel: { typeName }, model, requestedModel }: Target,
): Conversion['target'] => ({
  model,
  ...(provider.namesDeployments && requestedModel !== undefined ? { requestedModel } : {}),
  streamOptions: channelTypes[typeName].streamOptions,
  cacheMarks: provider.takesCacheMarks?.(model) ?? false,
  strictOpenai: provider.isNativeOpenAi ?? false,
  settings: dialects(),
})

/**
 * Converts a call to the dialect of another endpoint. Throws refusals of kind `invalid` for malformed requests and for
 * what the dialect cannot express, and of kind `exhausted` if it cannot express the output limit that the balance
 * requires.
 */
export async function convert(
  { codecs, withMedia }: ConvertDeps,
  { call, vendor, mediaTarget, wire: upstream, target, adapt, caching }: Conversion,
): Promise<Converted> {
  const { upstreamEndpoint } = mediaTarget
  const dropped = new Set<string>()
  const drop = (name: string) => void dropped.add(fieldName(name, call.format))
  const takesTurns = call.bytes.length > WIDE
  const decoded = decodedRequest(codecs, call)
  checkSchemas(decoded)
  if (takesTurns) await yieldToOthers()
  await checkNestedJson(decoded, call.bytes.length)
  const isSummed = call.route.compacts === true || decoded.compaction === true
  const own = vendor.provider.remembersUsers ? withOwnUser(decoded, mediaTarget.accountId) : decoded
  const wanted = adapt(isSummed ? summaryRequest(own) : own)
  const { channel, model } = vendor.target
  const destination = { typeName: channel.typeName, endpoint: upstreamEndpoint, model }
  const choosable = withPossibleChoice(caching.wantsKey ? withCacheKey(wanted) : wanted, destination, drop)
  const limited = limitedConversation(call, choosable)
  const plan = planFor(limited, vendor.target, upstreamEndpoint)
  if (plan?.isDropped) drop('output')
  const adapted = plan ? structuredConversation(limited, plan) : limited
  const { strictOpenai } = target
  const functionsOnly = vendor.target.channel.setting.tools_as_functions
  if (takesTurns) await yieldToOthers()
  const abroad = { format: formatOf(upstreamEndpoint), functionsOnly, strictOpenai, drop }
  const { conversation: plain, clientTools } = portable(adapted, abroad)
  const conversation = await withMedia(plain, mediaTarget)
  const isLarge = takesTurns || conversation !== plain
  if (isLarge) await yieldToOthers()
  const written = refusingIn(call.format, () => upstream.encodeRequest(conversation, { ...target, drop }))
  const encoded = caching.wantsMarks && !marksItself(conversation) ? withCacheMarks(written) : written
  if (call.outputLimit !== undefined && !call.stream && dropped.has(fieldName('maxOutput', call.format)))
    throw refuse('exhausted', 'relay.cannotLimit', {}, { code: 'insufficient_user_quota' })
  if (isLarge) await yieldToOthers()
  const { edits, dropped: left } = vendorEdits(vendor, encoded, UNCHANGED.edits)
  for (const name of left) drop(name)
  const wire: Record<string, unknown> = { ...edited(encoded, edits) }
  if (call.route.playground) dropped.delete('group')
  if (call.stream && upstreamEndpoint === 'chat' && target.streamOptions) wire.stream_options = { include_usage: true }
  for (const [field, value] of overridesFor(upstreamEndpoint, vendor.target.channel.paramOverride, wire, drop))
    if (!FIXED.has(field)) wire[field] = withinOutputLimit(call, field, value)
  if (isLarge) await yieldToOthers()
  const summary = call.route.compacts ? 'object' : 'item'
  const conversion: ConversionFacts = { clientTools, compaction: isSummed ? summary : undefined }
  return {
    bytes: await writeJson(wire, call.bytes.length > LARGE || conversation !== plain),
    dropped: [...dropped],
    structured: plan?.answer,
    conversion,
  }
}

/** Names the account in the user of a conversation, so that no account can use the name of another account's user. */
const withOwnUser = (conversation: Conversation, accountId: number): Conversation => ({
  ...conversation,
  user: [`switchyard-${accountId}`, ...(conversation.user ? [conversation.user] : [])].join('-'),
})

function planFor(conversation: Conversation, { channel, model }: Target, endpoint: TalkEndpoint) {
  const mode = channel.setting.structured_output
  return structuredPlan(conversation, { typeName: channel.typeName, endpoint, model, mode, isNative: false })
}

const formatOf = (endpoint: TalkEndpoint): Format | 'own' => (endpoint === 'own' ? 'own' : conversationFormat[endpoint])

/** Refusals about unsupported fields use the client's name of the field. */
function refusingIn<T>(client: Format, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof GatewayError) || error.key !== 'relay.cannotConvert') throw error
    const field = fieldName(error.param ?? '', client)
    throw refuse('invalid', error.key, { ...error.params, field }, { code: 'convert_request_failed', param: field })
  }
}

/**
 * Adapts the tool choice to the vendor's model: if the model cannot be forced to call a tool, the choice becomes
 * `auto`, which is reported (docs/reference/conversion.md#tool-choice); if it can only be forced to call some tool, the
 * names are left out, which is reported if it has other tools too.
 */
function withPossibleChoice(
  conversation: Conversation,
  mediaTarget: SupportTarget,
  drop: (name: string) => void,
): Conversation {
  const { toolChoice, tools } = conversation
  if (toolChoice?.mode !== 'required') return conversation
  const support = supportAt(mediaTarget)
  const isNamed = toolChoice.names?.length === 1 || tools.length === 1
  // Claude does not think when forced to call a tool (formats/anthropic/request-out.ts).
  const thinks =
    mediaTarget.endpoint !== 'messages' &&
    !support.whileThinking.forces &&
    isThinking(conversation, mediaTarget, support)
  if (!thinks && (support.forces === 'any' || (support.forces === 'named' && isNamed))) return conversation
  const { names } = toolChoice
  const isForced = !thinks && support.forces === 'unnamed'
  if (isForced && names === undefined) return conversation
  if (!isForced || tools.length > (names?.length ?? 0)) drop('toolChoice')
  return { ...conversation, toolChoice: isForced ? { mode: 'required' } : { ...toolChoice, mode: 'auto' } }
}
