import { channelTypes } from '../../shared/channel-types.ts'
import { onTheWire } from '../gateway/relay/delivery/wire.ts'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import type { Script } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const types = {
  openai: channelTypes.deepseek.id,
  anthropic: channelTypes.anthropic.id,
  gemini: channelTypes.gemini.id,
  responses: channelTypes.openai.id,
} as const

export type Vendor = keyof typeof types
const vendorNames = Object.keys(types) as readonly Vendor[] // the keys of the literal above

/** The model that only this vendor has. */
export const modelOf = (vendor: Vendor): string => `of-${vendor}`

const said = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

/** The streaming request of each caller's dialect. */
const callers: Readonly<Record<string, (model: string) => readonly [path: string, body: object]>> = {
  openai: (model) => ['/v1/chat/completions', { model, stream: true, messages: said }],
  anthropic: (model) => ['/v1/messages', { model, stream: true, max_tokens: 100, messages: said }],
  gemini: (model) => [`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents }],
  'gemini as an array': (model) => [`/v1beta/models/${model}:streamGenerateContent`, { contents }],
  responses: (model) => ['/v1/responses', { model, stream: true, input: 'hi' }],
}

/** Every pair of vendor and caller dialect that is supported. */
export const pairs = vendorNames.flatMap((vendor) =>
  Object.keys(callers)
    .filter((caller) => vendor !== 'responses' || caller === 'responses')
    .map((caller) => [vendor, caller] as const),
)

/** A gateway with a channel for each vendor, and a user who requests streams. */
export type StreamWorld = Readonly<{
  world: World
  alice: Person
  /** Makes one call; returns the raw response. */
  call: (vendor: Vendor, caller: string, script: Script) => ReturnType<typeof onTheWire>
  /** The receipt of the next call in the log; every call must be read. */
  receipt: () => Receipt
  /** Makes one call; returns its response and its receipt. */
  ask: (
    vendor: Vendor,
    caller: string,
    script: Script,
  ) => Promise<Awaited<ReturnType<typeof onTheWire>> & Readonly<{ receipt: Awaited<Receipt> }>>
}>
type Receipt = ReturnType<typeof lastReceipt>

/** Creates it, with every model ratio at one; `channel` adds fields to every channel. */
export async function aStreamWorld(options: object = {}, channel: object = {}): Promise<StreamWorld> {
  const ratio = Object.fromEntries(vendorNames.map((vendor) => [modelOf(vendor), 1]))
  const world = await aWorld({ options: { ModelRatio: ratio, CompletionRatio: ratio, ...options } })
  for (const vendor of vendorNames) await world.channel({ models: modelOf(vendor), type: types[vendor], ...channel })
  const alice = await world.user({ quota: 1_000_000_000 })
  let written = 0
  const receipt = () => {
    written += 1
    return lastReceipt(world, alice.id, written)
  }
  const call: StreamWorld['call'] = async (vendor, caller, script) => {
    world.upstream.answers(script)
    const wish = callers[caller]
    if (!wish) throw new Error(`no caller ${caller}`)
    const [path, body] = wish(modelOf(vendor))
    return onTheWire(world, path, { key: await alice.key(), body: JSON.stringify(body) })
  }
  const ask: StreamWorld['ask'] = async (...which) => ({ ...(await call(...which)), receipt: await receipt() })
  return { world, alice, call, receipt, ask }
}
