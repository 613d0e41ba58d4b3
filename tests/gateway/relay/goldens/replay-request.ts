import { GatewayError } from '../../../../gateway/base/errors.ts'
import { isObject } from '../../../../gateway/base/json/json.ts'
import { withMedia } from '../../../../gateway/relay/adaptation/inline-media.ts'
import { structuredConversation, structuredPlan } from '../../../../gateway/relay/adaptation/structured-output.ts'
import type { Json, RequestTarget } from '../../../../gateway/relay/formats/codec.ts'
import { createCodecs } from '../../../../gateway/relay/formats/codecs.ts'
import { fieldName } from '../../../../gateway/relay/formats/field-names.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'
import { portable } from '../../../../gateway/relay/formats/portable.ts'
import { CancellationSource } from '../../../../gateway/relay/model/cancellation.ts'
import type { ConversationEndpoint } from '../../../../gateway/relay/model/endpoint.ts'
import type { ChannelTypeName } from '../../../../shared/channel-types.ts'
import { options } from '../../../../shared/options/index.ts'
import { type Pair, type RequestGolden, usualModels } from './golden.ts'
import { pdf, pixel, plain, vendor } from './requests.ts'

const shippedMaxTokens = options['claude.default_max_tokens'].default

/** The result of a request: its converted form and the reported losses, or the field for which it was refused. */
export type Replayed = Readonly<{ wire: Json; reported: readonly string[] } | { refused: string }>

const ways: Readonly<Record<Format, ConversationEndpoint>> = {
  openai: 'chat',
  responses: 'responses',
  anthropic: 'messages',
  gemini: 'generate',
}

/**
 * Decodes a golden's request in one dialect and encodes it in another, with the same steps as
 * `gateway/relay/adaptation/convert.ts`.
 */
export async function replayed(golden: RequestGolden, from: Format, to: Format): Promise<Replayed> {
  let calls = 0
  const codecs = createCodecs(() => `call_${++calls}`)
  const reported = new Set<string>()
  const models = { ...usualModels, ...golden.models }
  const target: RequestTarget = {
    model: models[to],
    streamOptions: false,
    cacheMarks: golden.openai === 'router',
    strictOpenai: golden.openai === undefined,
    settings: { claudeMaxTokens: shippedMaxTokens, geminiSafety: {}, geminiImageModels: [] },
    drop: (name) => reported.add(fieldName(name, from)),
  }
  try {
    const wire = { ...golden.forms[from], ...modelOf(golden, from) }
    const decoded = codecs[from].decodeRequest(wire, models[from], golden.stream === true)
    const place = {
      upstreamEndpoint: ways[to],
      accountId: 1,
      takesUrls: true,
      cancellation: new CancellationSource(),
      memory: undefined,
    }
    const asking = { typeName: typeOf(golden, to), endpoint: ways[to], model: models[to] } as const
    const plan = structuredPlan(decoded, { ...asking, mode: 'auto', isNative: false })
    if (plan?.isDropped) target.drop('output')
    const adapted = plan ? structuredConversation(decoded, plan) : decoded
    const { conversation: told } = portable(adapted, {
      format: to,
      strictOpenai: target.strictOpenai,
      drop: target.drop,
    })
    const conversation = await withMedia({ fetch: file, maxImages: 16, maxBytes: Infinity }, told, place)
    return { wire: settled(codecs[to].encodeRequest(conversation, target), to), reported: [...reported].sort() }
  } catch (error) {
    if (error instanceof GatewayError) return { refused: error.param ?? error.message }
    throw error
  }
}

/** The channel type that a golden's request is sent to. */
function typeOf({ openai }: RequestGolden, to: Format): ChannelTypeName {
  if (to === 'anthropic' || to === 'gemini') return to
  if (openai === 'router') return 'openrouter'
  return openai === 'vendor' ? 'custom' : 'openai'
}

/** The result that a golden requires. */
export function expected(golden: RequestGolden, from: Format, to: Format): Replayed {
  const pair: Pair = `${from}>${to}`
  const { wire, reported = [], refused } = golden.outcomes?.[pair] ?? {}
  if (refused !== undefined) return { refused }
  const bare = to === 'openai' && golden.openai ? vendor() : plain[to]
  const own = { ...(wire ?? golden.forms[to] ?? bare), ...modelOf(golden, to) }
  return { wire: settled({ ...asides(golden, from, to), ...own }, to), reported: reported.toSorted() }
}

/** The members for model and stream, which Gemini has in its path. */
const modelOf = ({ models, stream }: RequestGolden, format: Format): Json =>
  format === 'gemini' ? {} : { model: models?.[format] ?? usualModels[format], ...(stream ? { stream } : {}) }

/** Members that the gateway adds in Responses for clients of other dialects, so that nothing is stored. */
function asides({ models, forms }: RequestGolden, from: Format, to: Format): Json {
  if (to !== 'responses' || from === 'responses') return {}
  const isSearching = from === 'anthropic' && JSON.stringify(forms.anthropic?.tools ?? []).includes('"web_search')
  const thinks = /^gpt-[56]/.test(models?.responses ?? usualModels.responses)
  const include = [
    ...(thinks ? ['reasoning.encrypted_content'] : []),
    ...(isSearching ? ['web_search_call.action.sources'] : []),
  ]
  return { store: false, ...(include.length > 0 ? { include } : {}) }
}

/** A request without the redundant statement that a function is not strict, in dialects where this is the default. */
function settled(wire: Json, format: Format): Json {
  if (format === 'responses' || format === 'gemini' || !Array.isArray(wire.tools)) return wire
  return { ...wire, tools: wire.tools.map((tool) => (isObject(tool) ? lenient(tool) : tool)) }
}

function lenient(tool: Json): Json {
  const { strict, ...rest } = tool
  const kept = strict === true ? tool : rest
  return isObject(kept.function) ? { ...kept, function: lenient(kept.function) } : kept
}

/** Stands in for fetched files. */
const file = async (url: string) =>
  url.endsWith('.pdf') ? { mime: 'application/pdf', data: pdf } : { mime: 'image/png', data: pixel }
