import type { DryRun, UnsavedChannel } from '../../../shared/api/unsaved-channel.ts'
import type { Verdict } from '../../../shared/api/verdict.ts'
import { channelAddress } from '../../../shared/channel-address.ts'
import { type ChannelType, channelTypeNameById, channelTypes } from '../../../shared/channel-types.ts'
import { channelStatus } from '../../../shared/enums.ts'
import type { Locale } from '../../../shared/messages/format.ts'
import { isChat } from '../../../shared/model-kind.ts'
import { refuse } from '../../base/errors.ts'
import { parsed } from '../../base/json/json.ts'
import type { FetchTrusted } from '../../base/network/http-client.ts'
import { addressFrom } from '../admin/field-rules.ts'
import { modelListRequest, modelsIn } from '../admin/models.ts'
import { failureIn } from '../health/upstream-failure.ts'
import { type ActiveChannel, baseUrlOf, settingIn, soleKey } from '../registry/active-channel.ts'
import { defaultModels } from '../registry/default-models.ts'
import { keysFrom } from '../registry/keys.ts'
import type { ChatAddress, Probe } from './probe.ts'
import { furtherVerdicts, runProbe, verdictFrom } from './run-probe.ts'
import { plainRequest, testKindOf } from './test-request.ts'
import { codeOf, codeOfFault, codeOfText, verdictOf } from './verdict.ts'

/** Tests a vendor account before it is stored (docs/reference/design.md#first-five-minutes). Writes nothing. */
export interface ChannelDryRun {
  /** The ids of the types that new channels may have and whose chat the relay supports. */
  vendors(): number[]
  /** Lists the models and makes a plain call, a stream and a tool call; throws if the address must not be called. */
  run(unsaved: UnsavedChannel, locale: Locale): Promise<DryRun>
}

type DryRunDeps = Readonly<{ probe: Probe; chatAddress: ChatAddress; fetchTrusted: FetchTrusted }>

const TIMEOUT_MS = 45_000

/** Calls vendors as the relay does; if there are several keys, with the first. */
export function createDryRun(deps: DryRunDeps): ChannelDryRun {
  const { chatAddress } = deps
  return {
    vendors: () =>
      selectable
        .filter(({ id }) => chatAddress(unsavedChannel({ type: id, other: '', key: '' }, ''), '') !== undefined)
        .map(idOf),
    async run(input, locale) {
      const channel = channelOf(input)
      const address = chatAddress(channel, '')
      if (address === undefined) throw refuse('invalid', 'channel.test_unsupported')
      if (!URL.canParse(address)) throw refuse('invalid', 'input.invalid', { reason: 'base_url: required' })
      const { models, verdict: list } = await fetchModels(deps, channel)
      const model = input.model || modelFor(input.type, input.models, models)
      const url = chatAddress(channel, model) ?? ''
      const verdicts = await runCalls(deps, channel, model, locale)
      const api_format = verdicts.plain.ok ? await formatOf(deps, channel, model, locale) : 'auto'
      return { url, base_url: channel.baseUrl, model, models, list, ...verdicts, api_format }
    },
  }
}

const idOf = ({ id }: ChannelType) => id
const selectable: readonly ChannelType[] = Object.values(channelTypes).filter((type) => type.selectable)

/** The channel the fields would create, with a normalized address; throws if its address or key is invalid. */
function channelOf(input: UnsavedChannel): ActiveChannel {
  const { base } = channelAddress(input)
  const baseUrl = baseUrlOf(input.type, addressFrom(base))
  const [key = ''] = keysFrom(input.type, input.key)
  return unsavedChannel({ ...input, key }, baseUrl)
}

type Fields = Readonly<{ type: number; other: string; key: string }>

export function unsavedChannel({ type, other, key }: Fields, baseUrl: string): ActiveChannel {
  return {
    id: 0,
    type,
    typeName: channelTypeNameById(type) ?? 'openai',
    name: '',
    status: channelStatus.enabled,
    ...soleKey(key),
    baseUrl,
    organization: '',
    modelMapping: null,
    statusMapping: new Map(),
    setting: settingIn(''),
    paramOverride: null,
    secrets: [],
    shown: { setting: '', param_override: '' },
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

/**
 * The first chat model among, in this order: the chosen models, default models the vendor has, all models of the
 * vendor, all default models.
 */
function modelFor(type: number, chosen: readonly string[], available: readonly string[]): string {
  const name = channelTypeNameById(type)
  const defaults = name === undefined ? [] : defaultModels[name]
  const known = defaults.filter((model) => available.includes(model))
  const model = [...chosen, ...known, ...available, ...defaults].find(isChat)
  if (model === undefined) throw refuse('invalid', 'channel.models')
  return model
}

async function fetchModels(
  { fetchTrusted }: DryRunDeps,
  { type, baseUrl, key }: ActiveChannel,
): Promise<{ models: string[]; verdict: Verdict }> {
  const request = modelListRequest({ type, base_url: baseUrl, key })
  if (!request) return { models: [], verdict: verdictOf('no_list', 0) }
  const started = performance.now()
  const took = () => performance.now() - started
  try {
    const { status, text } = await fetchTrusted(request.url, request.options)
    const failure = failureIn({ status, text, json: parsed(text) })
    if (failure) return { models: [], verdict: verdictOf(codeOf(failure), took(), failure.message, [key]) }
    const models = modelsIn(text)
    return { models: models ?? [], verdict: verdictOf(models ? 'ok' : codeOfText(text), took()) }
  } catch (error) {
    return { models: [], verdict: verdictOf(codeOfFault(error), took()) }
  }
}

/** Makes the three calls, using an endpoint of the model that supports all of them. */
async function runCalls({ probe }: DryRunDeps, channel: ActiveChannel, model: string, locale: Locale) {
  const kind = testKindOf(channel.type, model) === 'responses' ? 'responses' : 'chat'
  const probeCall = { ...plainRequest(kind, model), timeoutMs: TIMEOUT_MS }
  const first = verdictFrom(await runProbe(probe, channel, probeCall), channel, locale)
  const { plain, stream, tool } = await furtherVerdicts(probe, channel, { probeCall, plain: first, locale })
  return { plain, stream: stream ?? plain, tool: tool ?? plain }
}

/** Many OpenAI-compatible servers only support Chat, so a server at a custom address is tested for Responses. */
async function formatOf(
  { probe }: DryRunDeps,
  channel: ActiveChannel,
  model: string,
  locale: Locale,
): Promise<DryRun['api_format']> {
  if (channel.type !== channelTypes.openai.id || channel.baseUrl === channelTypes.openai.baseUrl) return 'auto'
  if (testKindOf(channel.type, model) !== 'chat') return 'auto'
  const probeCall = { ...plainRequest('responses', model), timeoutMs: TIMEOUT_MS }
  const { code } = verdictFrom(await runProbe(probe, channel, probeCall), channel, locale)
  return code === 'bad_path' ? 'chat' : 'auto'
}
