import type { TryOut, UnsavedChannel, Verdict } from '../../shared/api/channel.ts'
import { channelAddress } from '../../shared/channel-address.ts'
import { type ChannelType, channelTypeNameById, channelTypes } from '../../shared/channel-types.ts'
import { channelStatus } from '../../shared/enums.ts'
import { refuse } from '../base/errors.ts'
import type { FetchTrusted } from '../base/http-client.ts'
import { type ActiveChannel, baseUrlOf, settingIn } from './active-channel.ts'
import { defaultModels } from './default-models.ts'
import { addressFrom, keysFrom } from './field-rules.ts'
import { modelListRequest, modelsIn } from './models.ts'
import type { ChatAddress, Probe, ProbeAnswer } from './probe.ts'
import { isChat } from './test-request.ts'
import { failureIn } from './upstream-failure.ts'
import { codeOf, codeOfFault, codeOfText, verdictOf } from './verdict.ts'

/** Tries a vendor's account out before it is stored (design/product.md "The first five minutes"). Nothing is written. */
export interface ChannelTryOut {
  /** The ids of the types whose chat the relay speaks and that new channels may be of. */
  vendors(): number[]
  /** Lists the models and makes a plain call, a stream and a tool call; refuses addresses nobody may call. */
  run(ask: UnsavedChannel): Promise<TryOut>
}

export type TryOutDeps = Readonly<{ probe: Probe; chatAddress: ChatAddress; fetchTrusted: FetchTrusted }>

const TIMEOUT_MS = 45_000
const MOST_TOKENS = 200

/** The verbs over the relay's own way of calling vendors; of several keys the first counts. */
export function createTryOut(deps: TryOutDeps): ChannelTryOut {
  const { chatAddress } = deps
  return {
    vendors: () =>
      selectable
        .filter(({ id }) => chatAddress(unsaved({ type: id, other: '', key: '' }, ''), '') !== undefined)
        .map(idOf),
    async run(ask) {
      const channel = channelOf(ask)
      const address = chatAddress(channel, '')
      if (address === undefined) throw refuse('invalid', 'channel.test_unsupported')
      if (!URL.canParse(address)) throw refuse('invalid', 'input.invalid', { reason: 'base_url: required' })
      const { models, verdict: list } = await listed(deps, channel)
      const model = ask.model || modelFor(ask.type, ask.models, models)
      const url = chatAddress(channel, model) ?? ''
      return { url, base_url: channel.baseUrl, model, models, list, ...(await asked(deps, channel, model)) }
    },
  }
}

const idOf = ({ id }: ChannelType) => id
const selectable: readonly ChannelType[] = Object.values(channelTypes).filter((type) => type.selectable)

/** The channel the fields would make, its address mended; refuses what could not be stored either. */
function channelOf(ask: UnsavedChannel): ActiveChannel {
  const { base } = channelAddress(ask)
  const baseUrl = baseUrlOf(ask.type, addressFrom(base))
  const [key = ''] = keysFrom(ask.type, ask.key)
  return unsaved({ ...ask, key }, baseUrl)
}

type Fields = Readonly<{ type: number; other: string; key: string }>

function unsaved({ type, other, key }: Fields, baseUrl: string): ActiveChannel {
  return {
    id: 0,
    type,
    typeName: channelTypeNameById(type) ?? 'openai',
    name: '',
    status: channelStatus.enabled,
    key,
    baseUrl,
    organization: '',
    modelMapping: null,
    statusMapping: new Map(),
    setting: settingIn(''),
    paramOverride: null,
    maxInputTokens: 0,
    autoBan: false,
    priority: 0,
    weight: 0,
    other: other.trim(),
    tag: null,
    createdTime: 0,
    testModel: '',
    models: [],
    groups: [],
  }
}

/** The first that chats: of those chosen, of the usual ones the vendor has, of all it has, of the usual ones. */
function modelFor(type: number, chosen: readonly string[], listed: readonly string[]): string {
  const usual: readonly string[] = Object.entries(defaultModels).find(([id]) => Number(id) === type)?.[1] ?? []
  const known = usual.filter((model) => listed.includes(model))
  const model = [...chosen, ...known, ...listed, ...usual].find(isChat)
  if (model === undefined) throw refuse('invalid', 'channel.models')
  return model
}

/** The vendor's own list; a vendor without one is no failure. */
async function listed(
  { fetchTrusted }: TryOutDeps,
  { type, baseUrl, key }: ActiveChannel,
): Promise<{ models: string[]; verdict: Verdict }> {
  const request = modelListRequest({ type, base_url: baseUrl, key })
  if (!request) return { models: [], verdict: verdictOf('no_list', 0) }
  const started = performance.now()
  const took = () => performance.now() - started
  try {
    const { status, text } = await fetchTrusted(request.url, request.ask)
    const failure = failureIn({ status, text, json: jsonIn(text) })
    if (failure) return { models: [], verdict: verdictOf(codeOf(failure), took(), failure.message, [key]) }
    const models = modelsIn(text)
    return { models: models ?? [], verdict: verdictOf(models ? 'ok' : codeOfText(text), took()) }
  } catch (error) {
    return { models: [], verdict: verdictOf(codeOfFault(error), took()) }
  }
}

/** The three questions; where the first finds nobody at home, the others are not asked and end as it did. */
async function asked(deps: TryOutDeps, channel: ActiveChannel, model: string) {
  const plain = await question(deps, channel, model, {}, (answer) => (hasChoices(answer.json) ? 'ok' : undefined))
  if (['timeout', 'unreachable', 'bad_key'].includes(plain.code))
    return { plain, stream: { ...plain, ms: 0, message: '' }, tool: { ...plain, ms: 0, message: '' } }
  const [stream, tool] = await Promise.all([
    question(deps, channel, model, { stream: true }, ({ text }) => (streamed(text) ? 'ok' : undefined)),
    question(deps, channel, model, clock, ({ json }) => {
      if (!hasChoices(json)) return undefined
      return JSON.stringify(json).includes('"tool_calls":[{') ? 'ok' : 'no_tool_call'
    }),
  ])
  return { plain, stream, tool }
}

const hello = [{ role: 'user', content: 'hi' }]
/** A question that only a tool can answer. */
const clock = {
  messages: [{ role: 'user', content: 'What time is it in Paris? Use the tool.' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'current_time',
        description: 'Tells the current time in a city',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
  ],
}

/** One call and its verdict; `judge` reads a good answer and is undefined where it makes no sense of it. */
async function question(
  { probe }: TryOutDeps,
  channel: ActiveChannel,
  model: string,
  more: Readonly<Record<string, unknown>>,
  judge: (answer: ProbeAnswer) => 'ok' | 'no_tool_call' | undefined,
): Promise<Verdict> {
  const limit = /^(o\d|gpt-5)/.test(model) ? { max_completion_tokens: MOST_TOKENS } : { max_tokens: MOST_TOKENS }
  const body = { model, messages: hello, stream: false, ...limit, ...more }
  const started = performance.now()
  try {
    const isStream = more.stream === true
    const answer = await probe(channel, { endpoint: 'chat', model, body, timeoutMs: TIMEOUT_MS, isStream })
    const failure = failureIn(answer)
    if (failure) return verdictOf(codeOf(failure), answer.ms, failure.message, [channel.key])
    return verdictOf(judge(answer) ?? codeOfText(answer.text), answer.ms)
  } catch (error) {
    return verdictOf(codeOfFault(error), performance.now() - started)
  }
}

const hasChoices = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'choices' in json && Array.isArray(json.choices)

/** Whether a text holds at least one event of a chat stream. */
const streamed = (text: string): boolean =>
  text.split('\n').some((line) => line.startsWith('data:') && hasChoices(jsonIn(line.slice(5))))

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
