import type { z } from 'zod'
import type { ExplainedChannel, routing } from '../../../shared/api/routing.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { AUTO_GROUP } from '../../accounts/groups.ts'
import { GatewayError } from '../../base/errors.ts'
import { cooldownView } from '../../channels/admin/key-editor.ts'
import type { CooldownQuery, ListedCooldown } from '../../channels/health/cooldowns.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { mappedModel, wildcardOf } from '../../channels/registry/model-name.ts'
import { chanceOf, shareOf, sumsOf } from '../../channels/registry/picker.ts'
import { type AdmitDeps, admitCall, admitCaller } from '../admission/admit.ts'
import type { Identities } from '../admission/identify.ts'
import { upstreamName } from '../intake/parse.ts'
import type { Call } from '../model/call.ts'
import type { Account, Caller } from '../model/caller.ts'
import { conversationFormat, isConversation, type RequestedEndpoint } from '../model/endpoint.ts'
import type { Plan } from '../model/plan.ts'
import { type EligibilityDeps, evaluate } from './eligibility.ts'
import { type RouteDeps, triesOf } from './route.ts'

type ExplainDeps = AdmitDeps & EligibilityDeps & Pick<RouteDeps, 'settings'> & Readonly<{ identities: Identities }>

export type ParsedExplainRequest = z.output<typeof routing.explain.body>

/** How a request would be routed; `refusal` is the error with which it would be refused before routing, if any. */
export type Explanation = Readonly<{
  group: string
  model: string
  tries: number
  refusal: GatewayError | null
  channels: ExplainedChannel[]
  off: ActiveChannel[]
}>

/**
 * Explains how a request for a model would be routed, by the checks and the eligibility of real requests: no channel is
 * contacted, and nothing is counted or reserved (docs/reference/selection.md#explaining-a-choice). A named group
 * stands for an account of that group.
 */
export async function explain(
  deps: ExplainDeps,
  request: ParsedExplainRequest,
  account: Account,
  nowSeconds: number,
): Promise<Explanation> {
  const call = bareCall(request.model, request.endpoint, request.prompt_tokens)
  const tries = triesOf(deps.settings, { forced: null })
  const evaluation = { model: request.model, tries, group: request.group, refusal: null, channels: [], off: [] }
  let group = request.group || account.group
  try {
    const caller = await callerFor(deps, request, account, nowSeconds)
    group = caller.tokenGroup || caller.account.group
    admitCaller(deps, caller, { ip: '' }, null)
    const { plan, refusal } = admitted(deps, caller, call)
    // Every limit of a vendor is shown: one that concerns only some requests may be the reason asked for.
    const accountId = request.token_id === undefined ? null : caller.account.id
    const routed = { model: request.model, accountId, tokens: Number.POSITIVE_INFINITY }
    const channels = considered(deps, plan, call, routed)
    return { ...evaluation, group: plan.group, refusal, channels, off: offIn(deps, plan.group, request.model) }
  } catch (refusal) {
    if (!(refusal instanceof GatewayError)) throw refusal
    return { ...evaluation, group, refusal, off: offIn(deps, group, request.model) }
  }
}

/** The plan of a call; if only a price is missing, the plan that it would have with one. */
function admitted(deps: ExplainDeps, caller: Caller, call: Call): { plan: Plan; refusal: GatewayError | null } {
  try {
    return { plan: admitCall(deps, caller, call, null), refusal: null }
  } catch (refusal) {
    if (!(refusal instanceof GatewayError) || refusal.code !== NO_PRICE) throw refusal
    const account = { ...caller.account, acceptUnset: true }
    return { plan: admitCall(deps, { ...caller, account }, call, null), refusal }
  }
}

const NO_PRICE = 'model_price_error'

async function callerFor(
  { identities }: ExplainDeps,
  { token_id, group }: ParsedExplainRequest,
  account: Account,
  now: number,
): Promise<Caller> {
  const anywhere = { allows: () => true }
  if (token_id === undefined) {
    const own = { account, tokenId: 0, tokenName: '', tokenGroup: '', models: null, ...anywhere }
    return inGroup(own, group)
  }
  return inGroup({ ...(await identities.byToken(token_id, now)), ...anywhere }, group)
}

function inGroup(caller: Caller, group: string): Caller {
  if (group === '') return caller
  if (group === AUTO_GROUP) return { ...caller, tokenGroup: AUTO_GROUP }
  return { ...caller, tokenGroup: '', account: { ...caller.account, group } }
}

function considered(deps: ExplainDeps, { tiers }: Plan, call: Call, routed: CooldownQuery): ExplainedChannel[] {
  return tiers.flatMap(({ members, priority }) => {
    const evaluated = members.map((member) => ({
      ...member,
      evaluation: evaluatedNow(deps, member.channel, call, routed),
    }))
    const open = sumsOf(evaluated.filter(({ evaluation }) => evaluation.verdict === 'eligible'))
    return evaluated
      .map(({ channel, weight, evaluation }) => ({
        channel_id: channel.id,
        name: channel.name,
        type: channel.type,
        priority,
        weight,
        chance: chanceOf(weight),
        chances: open.at(-1) ?? 0,
        share: evaluation.verdict === 'eligible' ? shareOf(weight, open) : 0,
        ...evaluation,
      }))
      .sort((a, b) => b.share - a.share)
  })
}

type Evaluation = Pick<ExplainedChannel, 'verdict' | 'cooldown' | 'upstream_model' | 'keys_usable' | 'keys'>

function evaluatedNow(deps: ExplainDeps, channel: ActiveChannel, call: Call, routed: CooldownQuery): Evaluation {
  const eligibility = evaluate(deps, channel, {
    call,
    routed,
    hashFraction: 0,
    isForced: false,
    except: [],
    promptTokens: call.input ?? undefined,
  })
  const verdict = 'channel' in eligibility ? 'eligible' : eligibility.reason
  const usable = channel.pool.filter(
    (key) => key.status === channelStatus.enabled && !deps.cooldowns.ofKey(key.channel, routed),
  )
  const cooldown =
    'channel' in eligibility || !eligibility.cooldown ? undefined : cooldownOf(deps, channel, call.model, verdict)
  return {
    verdict,
    cooldown: cooldown ? cooldownView(cooldown) : null,
    upstream_model: upstreamOf(channel, call),
    keys_usable: channel.pool.length > 0 ? usable.length : 1,
    keys: channel.keyCount,
  }
}

/** The cooldown that applies: the channel's longest, or among its keys' the one that ends first. */
function cooldownOf(
  { cooldowns }: ExplainDeps,
  { id }: ActiveChannel,
  model: string,
  verdict: string,
): ListedCooldown | undefined {
  const concerning = cooldowns.list(id).filter((cooldown) => cooldown.model === '' || cooldown.model === model)
  return verdict === 'no_key'
    ? concerning.findLast(({ keyId }) => keyId !== '')
    : concerning.find(({ keyId }) => keyId === '')
}

/** Empty if the channel's mapping is circular. */
function upstreamOf({ modelMapping }: ActiveChannel, call: Call): string {
  try {
    return upstreamName(call, mappedModel(call.model, modelMapping))
  } catch (cause) {
    if (cause instanceof GatewayError) return ''
    throw cause
  }
}

function offIn({ registry, settings }: ExplainDeps, group: string, model: string): ActiveChannel[] {
  const groups = group === AUTO_GROUP ? settings.get('AutoGroups') : [group]
  const names = [model, wildcardOf(model) ?? model]
  return [...registry.all()].filter(
    (channel) =>
      channel.status !== channelStatus.enabled &&
      channel.groups.some((one) => groups.includes(one)) &&
      channel.models.some((one) => names.includes(one)),
  )
}

const bareCall = (model: string, endpoint: RequestedEndpoint, promptTokens: number): Call => {
  const format = isConversation(endpoint) ? conversationFormat[endpoint] : 'openai'
  return {
    route: { format, endpoint, playground: false },
    endpoint,
    format,
    bytes: Buffer.alloc(0),
    json: { model },
    spans: { members: [], depth: 0, end: 0 },
    form: null,
    model,
    stream: false,
    wantsUsage: false,
    maxOutput: 0,
    input: promptTokens,
    group: '',
  }
}
