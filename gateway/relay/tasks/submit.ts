import type { JsonObject } from '../../base/json/json.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { usageOf } from '../../billing/usage.ts'
import { type ActiveChannel, withKey } from '../../channels/registry/active-channel.ts'
import { admitCall, noChannel } from '../admission/admit.ts'
import { withBudgetWarning } from '../admission/credentials.ts'
import { sendJson } from '../auxiliary/reply.ts'
import { writeError } from '../delivery/error-body.ts'
import { noteFailure, type RequestProgress } from '../delivery/failure.ts'
import { readBody } from '../intake/body.ts'
import { jsonBody } from '../intake/parse.ts'
import { enter, type HeldCall, withHold } from '../life-cycle.ts'
import { chargeRequest, reportSettled } from '../metering/charge.ts'
import type { Body, Call } from '../model/call.ts'
import type { Asker, Caller } from '../model/caller.ts'
import { offeredIn, type Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { UpstreamError } from '../upstream/upstream-error.ts'
import type { TaskDeps } from './task-deps.ts'

/** What a vendor says of a task that was submitted. */
export type TaskAnswer = Readonly<{
  json: JsonObject
  /** The vendor has taken it on. */
  isCharged: boolean
  /** It has not, for want of something that another channel may have: that one is asked, where there is one. */
  elsewhere?: UpstreamError
}>

/** What is known of a task once a vendor has answered. */
export type TaskFacts = Readonly<{
  context: RequestContext
  caller: Caller
  channel: ActiveChannel
  /** What it is charged. */
  quota: number
}>

/** What a caller wants of a vendor of tasks, understood. */
type TaskOrder = Readonly<{
  endpoint: 'drawing' | 'task'
  /** What it is priced and routed by. */
  model: string
  /** Nobody pays for it, whatever the price says. */
  isFree: boolean
  /** What of it people have written, where blocked words are looked for. */
  said: JsonObject
  /** The channel, with its key, that has what this one goes on from: no other is asked. */
  origin?: Readonly<{ channelId: number; keyId: string }> | undefined
  ask(channel: ActiveChannel): Promise<TaskAnswer>
  /** Writes it down; answers what its caller is told. */
  save(answer: TaskAnswer, facts: TaskFacts): Promise<JsonObject>
}>

/** Reads an order out of a body; throws refusals. */
export type ReadOrder = (caller: Caller, json: JsonObject) => MaybePromise<TaskOrder>

/**
 * The life of a submitted task: who asks, what for, may they, its price set aside, a channel asked, its row written, the
 * price charged (docs/reference/tasks.md#submitting). Admission, holds and routing are those of relayed calls. Never throws.
 */
export async function submitTask(
  deps: TaskDeps,
  context: RequestContext,
  identify: () => MaybePromise<Asker>,
  read: ReadOrder,
): Promise<void> {
  const progress: RequestProgress = { attempts: [], skipped: [] }
  try {
    const { caller, suffix } = await enter(deps, context, identify, progress)
    const body = await jsonBody(
      await readBody(context.request, deps.bodies.roomFor(context.response, caller.account.id), MAX_ORDER_BYTES),
    )
    const order = await read(caller, body.json)
    const call = callFor(order, body)
    progress.call = call
    const plan = planFor(deps, caller, call, order, suffix)
    progress.plan = plan
    await deps.words.checkPrompt(order.said, 'openai', context.requestId)
    const admitted = { context, caller, call, plan, progress, conversationKey: undefined }
    await withHold(deps, admitted, (held) => placeOrder(deps, { context, caller, order, progress, held }))
  } catch (error) {
    writeError(context, noteFailure(deps, context, progress, error))
  }
}

/** The largest body of an order, in bytes (docs/reference/tasks.md#submitting). */
const MAX_ORDER_BYTES = 32 * 1024 * 1024

/** The order as the stages of a relayed call know calls. */
const callFor = ({ endpoint, model }: TaskOrder, { bytes, json, spans }: Body): Call => ({
  route: { format: 'openai', endpoint, playground: false },
  endpoint,
  format: 'openai',
  bytes,
  json,
  spans,
  form: null,
  model,
  stream: false,
  wantsUsage: false,
  maxOutput: 0,
  input: 0,
  group: '',
})

function planFor(deps: TaskDeps, caller: Caller, call: Call, order: TaskOrder, suffix: string | null): Plan {
  const { origin, isFree } = order
  const admitted = admitCall(deps, caller, call, suffix)
  const plan = origin ? goneOn(admitted, call, origin) : admitted
  return isFree ? { ...plan, price: { ...plan.price, fixed: 0 }, holdQuota: 0, minHoldQuota: 0 } : plan
}

/** The plan of a task that goes on from another one, at its channel: one that the call may ask for its model in its group. */
function goneOn(plan: Plan, { model }: Call, { channelId, keyId }: NonNullable<TaskOrder['origin']>): Plan {
  const channel = offeredIn(plan).find(({ id }) => id === channelId)
  if (!channel) throw noChannel(model, plan.group)
  return { ...plan, forced: withKey(channel, keyId) ?? channel }
}

type Placing = Readonly<{
  context: RequestContext
  caller: Caller
  order: TaskOrder
  progress: RequestProgress
  held: HeldCall
}>

/** From the first channel that takes the order to what its caller is told of it. */
async function placeOrder(deps: TaskDeps, placing: Placing): Promise<void> {
  const { context, caller, order, progress, held } = placing
  const { call, plan, hold, route } = held
  const { channel, answer } = await firstAnswer(placing)
  progress.turn?.succeed()
  const { attempts, skipped } = progress
  const served = { context, caller, call, plan, attempts, skipped, channelId: channel.id, upstreamModel: call.model }
  const isCharged = answer.isCharged && !order.isFree
  const charge = isCharged
    ? { ...chargeRequest(deps, served, NO_TOKENS, 'complete', NO_FIRST_BYTE), isRefundable: true }
    : undefined
  // The row comes first: what is not charged in the end is not given back either (docs/reference/tasks.md#refunds).
  const told = await order.save(answer, { context, caller, channel, quota: charge?.quota ?? 0 })
  if (charge) {
    await hold.settle(charge)
    reportSettled(deps, served, NO_TOKENS, charge.quota)
  }
  route.delivered('complete')
  deps.clientUsage.note(channel.id, plan.group, context.userAgent, context.at)
  if (!context.response.destroyed) sendJson(withBudgetWarning(context, caller), 200, told)
}

/** A task has no tokens: its price is by the call. */
const NO_TOKENS = usageOf({})
const NO_FIRST_BYTE = -1000

type Answered = Readonly<{ channel: ActiveChannel; answer: TaskAnswer }>

/** Asks one channel after the other; throws why none answers. A vendor that has no room is told of where nobody else has any. */
async function firstAnswer({ context, order, held: { route } }: Placing): Promise<Answered> {
  let declined: Answered | undefined
  for (let channel = route.next(); channel; channel = route.next()) {
    route.begin(channel)
    try {
      const answer = await order.ask(channel)
      if (answer.elsewhere) {
        declined = { channel, answer }
        throw answer.elsewhere
      }
      route.answered(channel)
      return { channel, answer }
    } catch (error) {
      if (await route.failed(channel, error, context)) continue
      if (declined) return declined
      throw error
    }
  }
  if (declined) return declined
  throw route.refusal()
}
