import type { JsonObject } from '../../base/json/json.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { usageOf } from '../../billing/usage.ts'
import { type ActiveChannel, withKey } from '../../channels/registry/active-channel.ts'
import { noChannel } from '../admission/admit.ts'
import { warnOfBudget } from '../admission/credentials.ts'
import { sendJson } from '../auxiliary/reply.ts'
import { writeError } from '../delivery/error-body.ts'
import { noteFailure } from '../failure.ts'
import { readBody } from '../intake/body.ts'
import { jsonBody } from '../intake/parse.ts'
import { chargeRequest, reportSettled } from '../metering/charge.ts'
import type { Body, Call } from '../model/call.ts'
import type { Caller, Requester } from '../model/caller.ts'
import { offeredIn, type Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import { RelayedRequest, type ReservedCall } from '../relayed-request.ts'
import type { UpstreamError } from '../upstream/upstream-error.ts'
import type { TaskDeps } from './task-deps.ts'

export type TaskAnswer = Readonly<{
  json: JsonObject
  /** The vendor has accepted the order. */
  isCharged: boolean
  /**
   * The vendor has declined the order for a reason that may not apply to another channel, so that the next one is
   * tried.
   */
  elsewhere?: UpstreamError
}>

export type TaskFacts = Readonly<{
  context: RequestContext
  caller: Caller
  channel: ActiveChannel
  quota: number
}>

type TaskOrder = Readonly<{
  endpoint: 'drawing' | 'task'
  /** Determines price and routing. */
  model: string
  /** Not charged, whatever the price. */
  isFree: boolean
  /** The parts with the user's text, checked for blocked words. */
  userText: JsonObject
  /** The channel, with its key, that has the task this one continues: only it is used. */
  origin?: Readonly<{ channelId: number; keyId: string }> | undefined
  sendTo(channel: ActiveChannel): Promise<TaskAnswer>
  save(answer: TaskAnswer, facts: TaskFacts): Promise<JsonObject>
}>

/** Reads an order from a body; throws refusals. */
export type ReadOrder = (caller: Caller, json: JsonObject) => MaybePromise<TaskOrder>

/**
 * The life cycle of a submitted task: authenticate, read, admit, reserve its price, send it to a channel, store its
 * row, charge (docs/reference/tasks.md#submitting). Admission, reservations and routing are those of relayed calls.
 * Never throws.
 */
export async function submitTask(
  deps: TaskDeps,
  context: RequestContext,
  identify: () => MaybePromise<Requester>,
  read: ReadOrder,
): Promise<void> {
  const request = new RelayedRequest(deps, context)
  try {
    const { caller } = await request.enter(identify)
    const share = deps.bodies.shareFor(context.owner, caller.account.id)
    const body = await jsonBody(await readBody(context.request, share, MAX_ORDER_BYTES), share)
    const order = await read(caller, body.json)
    const call = callFor(order, body)
    const plan = planFor(request.admit(caller, call).plan, call, order)
    await deps.words.checkPrompt(order.userText, 'openai', context.requestId)
    await request.withReservation(caller, { call, plan }, undefined, (reserved) =>
      placeOrder(deps, { request, order, reserved }),
    )
  } catch (error) {
    writeError(context, noteFailure(deps, request, error))
  }
}

/** Max bytes of an order's body (docs/reference/tasks.md#submitting). */
const MAX_ORDER_BYTES = 32 * 1024 * 1024

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

function planFor(admitted: Plan, call: Call, { origin, isFree }: TaskOrder): Plan {
  const plan = origin ? continuedPlan(admitted, call, origin) : admitted
  return isFree ? { ...plan, price: { ...plan.price, fixed: 0 }, holdQuota: 0, minHoldQuota: 0 } : plan
}

/**
 * Returns the plan of a task that continues another one, limited to its channel, which must offer the model in the
 * call's group.
 */
function continuedPlan(plan: Plan, { model }: Call, { channelId, keyId }: NonNullable<TaskOrder['origin']>): Plan {
  const channel = offeredIn(plan).find(({ id }) => id === channelId)
  if (!channel) throw noChannel(model, plan.group)
  return { ...plan, forced: withKey(channel, keyId) ?? channel }
}

type Placing = Readonly<{ request: RelayedRequest; order: TaskOrder; reserved: ReservedCall }>

/** Sends the order to the first channel that accepts it, stores and charges it, and responds. */
async function placeOrder(deps: TaskDeps, placing: Placing): Promise<void> {
  const { request, order, reserved } = placing
  const { context } = request
  const { caller, call, plan, hold, route } = reserved
  const { channel, answer } = await firstAnswer(placing)
  request.succeed()
  const served = request.charged(reserved, channel.id, call.model)
  const isCharged = answer.isCharged && !order.isFree
  const charge = isCharged
    ? { ...chargeRequest(deps, served, NO_TOKENS, 'complete', NO_FIRST_BYTE), isRefundable: true }
    : undefined
  // The row is stored first, so that nothing is charged without a row; a refund returns only what the ledger has
  // charged.
  const reply = await order.save(answer, { context, caller, channel, quota: charge?.quota ?? 0 })
  if (charge) {
    await hold.settle(charge)
    reportSettled(deps, served, NO_TOKENS, charge.quota)
  }
  route.delivered('complete')
  deps.clientUsage.note(channel.id, plan.group, context.userAgent, context.at)
  warnOfBudget(context, caller)
  if (!context.response.destroyed) sendJson(context, 200, reply)
}

/** A task has no tokens: its price is per call. */
const NO_TOKENS = usageOf({})
const NO_FIRST_BYTE = -1000

type Answered = Readonly<{ channel: ActiveChannel; answer: TaskAnswer }>

/**
 * Tries one channel after the other; throws the reason if none accepts the order. If a vendor has declined it and no
 * other channel accepts it, returns the vendor's response.
 */
async function firstAnswer({ request: { context }, order, reserved: { route } }: Placing): Promise<Answered> {
  let declined: Answered | undefined
  for (let channel = route.next(); channel; channel = route.next()) {
    route.begin(channel)
    try {
      const answer = await order.sendTo(channel)
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
