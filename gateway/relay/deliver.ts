import type { Charge, Hold } from '../billing/ledger.ts'
import { type Usage, usageOf } from '../billing/usage.ts'
import type { Plan } from './admit.ts'
import type { Arrival } from './arrival.ts'
import { shown, withoutKnown } from './error-body.ts'
import { passedOn } from './headers.ts'
import type { Caller } from './identify.ts'
import { promptSize } from './prompt-size.ts'
import { type Attempt, chargeOf, type Story } from './record.ts'
import type { RelayDeps } from './relay.ts'
import type { Answer } from './send.ts'
import { deliverStream, type Ending } from './stream.ts'
import type { Call } from './understand.ts'
import { UpstreamError } from './upstream-error.ts'
import { createTap, type UsageTap } from './usage-tap.ts'

/** A request with its answer, ready to be sent on and charged. */
export type Delivery = Readonly<{
  arrival: Arrival
  caller: Caller
  call: Call
  plan: Plan
  hold: Hold
  answer: Answer
  attempts: readonly Attempt[]
}>

/** Sends the answer on; it is charged and written down before its last byte goes out. */
export async function deliver(deps: RelayDeps, delivery: Delivery): Promise<void> {
  if (delivery.answer.body.kind === 'whole') deliverWhole(deps, delivery, delivery.answer.body)
  else await deliverEvents(deps, delivery, delivery.answer.body.dropUsage)
}

function deliverWhole(deps: RelayDeps, delivery: Delivery, { bytes, json }: { bytes: Buffer; json: unknown }): void {
  const { arrival, answer } = delivery
  const tap = createTap(delivery.call.model)
  tap.event(json)
  const took = deps.clock.monotonic() - arrival.startedMs
  settle(deps, delivery, tap, 'complete', took)
  const { response } = arrival
  if (response.destroyed) return
  response.writeHead(
    answer.reply.status,
    passedOn(answer.reply.headers, arrival.head, { 'content-length': bytes.length }),
  )
  // With its head in one string and one write; Latin-1 maps every byte to itself.
  if (bytes.length <= ONE_WRITE) response.end(bytes.toString('latin1'), 'latin1')
  else response.end(bytes)
}

const ONE_WRITE = 16 * 1024

const STREAMED = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

async function deliverEvents(deps: RelayDeps, delivery: Delivery, dropUsage: boolean): Promise<void> {
  const { arrival, hold, answer } = delivery
  const tap = createTap(delivery.call.model)
  let firstByteMs = -1000
  arrival.response.writeHead(answer.reply.status, passedOn(answer.reply.headers, arrival.head, STREAMED))
  const stream = deliverStream({
    reply: answer.reply,
    response: arrival.response,
    tap,
    dropUsage,
    settle: (ending) => settle(deps, delivery, tap, ending, firstByteMs),
    brokenEvent: (ending) => brokenEvent(delivery, ending),
    withoutSecrets: (bytes) => Buffer.from(withoutKnown(bytes.toString('utf8'), answer.channel)),
    onFirst() {
      firstByteMs = deps.clock.monotonic() - arrival.startedMs
    },
    onFault: (error) => deps.log.error('relay stream failed', { requestId: arrival.requestId, error }),
  })
  const leave = deps.sweep.add({
    startedMs: arrival.startedMs,
    stop: () => stream.stop(),
    checkpoint() {
      if (!stream.produced()) return
      const usage = usageFor(delivery.call, tap, 'stopped')
      hold.checkpoint(chargeFor(deps, delivery, usage, 'stopped', firstByteMs))
    },
  })
  await stream.finished
  leave()
}

/** Charges the request, once, and tells whoever waits for a call of the account from outside. */
function settle(deps: RelayDeps, delivery: Delivery, tap: UsageTap, ending: Ending, firstByteMs: number): void {
  const usage = usageFor(delivery.call, tap, ending)
  const charge = chargeFor(deps, delivery, usage, ending, firstByteMs)
  delivery.hold.settle(charge)
  const { arrival, caller, call } = delivery
  if (!deps.settled.isAwaited || caller.tokenId === 0) return
  const tokens = usage.prompt + usage.completion
  const { quota, at } = charge
  deps.settled.tell({ userId: caller.account.id, model: call.model, tokens, quota, requestId: arrival.requestId, at })
}

function chargeFor(deps: RelayDeps, delivery: Delivery, usage: Usage, ending: Ending, firstByteMs: number): Charge {
  const { arrival, caller, call, plan, answer, attempts } = delivery
  const story: Story = {
    arrival,
    caller,
    call,
    group: plan.group,
    attempts,
    channelId: answer.channel.id,
    upstreamModel: answer.upstreamModel,
    firstByteMs: Math.round(firstByteMs),
    tookMs: deps.clock.monotonic() - arrival.startedMs,
  }
  return chargeOf(story, plan, usage, ending, deps.settings.get('LogConsumeEnabled'))
}

const NOTHING = usageOf({ source: 'estimated' })

/** What is charged: nothing where nothing was produced and the answer did not end well (spec/relay.md §6.6). */
function usageFor(call: Call, tap: UsageTap, ending: Ending): Usage {
  if (ending !== 'complete' && !tap.produced()) return NOTHING
  const usage = tap.usage(() => promptSize(call))
  return usage.source === 'upstream' || call.mostOutput === 0
    ? usage
    : { ...usage, completion: Math.min(usage.completion, call.mostOutput) }
}

/** The empty line in front ends an event that was cut. */
function brokenEvent({ arrival, plan, answer }: Delivery, ending: Ending): string {
  const cause = new UpstreamError(ending === 'upstream-timeout' ? 504 : 502, 'the stream broke off', {
    transport: true,
  })
  const { error } = shown(cause, {
    requestId: arrival.requestId,
    locale: arrival.locale,
    group: plan.group,
    channel: answer.channel,
  })
  return `\ndata: ${JSON.stringify({ error: { ...error, code: 'stream_response_error' } })}\n\n`
}
