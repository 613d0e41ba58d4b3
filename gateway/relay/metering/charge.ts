import type { Charge } from '../../billing/ledger.ts'
import { type Usage, usageOf } from '../../billing/usage.ts'
import type { Coverage } from './coverage.ts'
import type { Delivery } from '../model/delivery.ts'
import type { EventTap } from './event-tap.ts'
import { type PromptDeps, promptOf, promptSize } from '../tokens/prompt-size.ts'
import { chargeOf, type Story } from './log-row.ts'
import type { RelayDeps } from '../relay.ts'
import type { Ending } from '../delivery/stream.ts'
import type { CountedText, UsageTap } from './usage-tap.ts'

/** Whatever watches an answer. */
export type AnyTap = UsageTap | EventTap

/** The figures of one request: counted where the upstream was silent, charged once. */
export function createSale(deps: RelayDeps, delivery: Delivery, coverage?: Coverage) {
  const { call, answer, hold } = delivery
  let counted: CountedText | undefined
  const charge = (tap: AnyTap, ending: Ending, firstByteMs: number): { charge: Charge; usage: Usage } => {
    const usage = usageFor(deps, delivery, tap, ending, counted, coverage)
    return { usage, charge: chargeFor(deps, delivery, usage, ending, firstByteMs) }
  }
  return {
    charge,
    /** Counts prompt and answer exactly where the upstream gave no figures and the model's tokenizer is known. */
    count(tap: AnyTap): Promise<void> | undefined {
      const text = tap.seen.usage && tap.seen.finished ? undefined : tap.text()
      if (text === undefined) return undefined
      const { texts, extra } = promptOf(deps, call)
      const both = [deps.counter.count(answer.upstreamModel, texts), deps.counter.count(answer.upstreamModel, [text])]
      return Promise.all(both).then(([prompt, completion]) => {
        if (prompt?.source === 'counted' && completion?.source === 'counted')
          counted = { prompt: prompt.tokens + extra, completion: completion.tokens }
      })
    },
    settle(tap: AnyTap, ending: Ending, firstByteMs: number): Usage {
      const sale = charge(tap, ending, firstByteMs)
      hold.settle(sale.charge)
      tellSettled(deps, delivery, sale)
      return sale.usage
    },
  }
}

/** Tells whoever waits for a call of the account from outside. */
function tellSettled(deps: RelayDeps, delivery: Delivery, { usage, charge }: { usage: Usage; charge: Charge }): void {
  const { arrival, caller, call } = delivery
  if (!deps.settled.isAwaited || caller.tokenId === 0) return
  const tokens = usage.prompt + usage.completion
  const { quota, at } = charge
  deps.settled.tell({ userId: caller.account.id, model: call.model, tokens, quota, requestId: arrival.requestId, at })
}

function chargeFor(deps: RelayDeps, delivery: Delivery, usage: Usage, ending: Ending, firstByteMs: number): Charge {
  const { arrival, caller, call, plan, answer, attempts, skipped } = delivery
  const story: Story = {
    arrival,
    caller,
    call,
    group: plan.group,
    attempts,
    skipped,
    channelId: answer.channel.id,
    upstreamModel: answer.upstreamModel,
    firstByteMs: Math.round(firstByteMs),
    tookMs: deps.clock.monotonic() - arrival.startedMs,
    work: plan.work,
  }
  return chargeOf(story, plan, usage, ending, deps.settings.get('LogConsumeEnabled'))
}

const NOTHING = usageOf({ source: 'estimated' })

/** What is charged: nothing where nothing was produced and the answer did not end well (spec/relay.md §6.6). */
function usageFor(
  deps: PromptDeps,
  { call, answer }: Delivery,
  tap: AnyTap,
  ending: Ending,
  counted: CountedText | undefined,
  coverage: Coverage | undefined,
): Usage {
  if (ending === 'quota' && coverage) return coverage.paidOf(tap, () => promptSize(deps, call))
  if (ending !== 'complete' && !tap.produced()) return NOTHING
  const usage = tap.usage(() => promptSize(deps, call), counted)
  const most = usage.source === 'upstream' || call.mostOutput === 0 ? usage.completion : call.mostOutput
  const searches = answer.way === 'chat' && SEARCHES.test(answer.upstreamModel) ? 1 : 0
  if (usage.completion <= most && searches <= usage.webSearches) return usage
  return {
    ...usage,
    completion: Math.min(usage.completion, most),
    webSearches: Math.max(usage.webSearches, searches),
  }
}

/** Chat models that search the web once for every answer (spec/relay.md §6.3). */
const SEARCHES = /search-preview/
