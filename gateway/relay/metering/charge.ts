import type { Charge } from '../../billing/ledger.ts'
import { type Usage, usageOf } from '../../billing/usage.ts'
import type { Delivery } from '../model/delivery.ts'
import type { Ending } from '../model/outcome.ts'
import type { RelayDeps } from '../relay.ts'
import { type PromptDeps, promptOf, promptSize } from '../tokens/prompt-size.ts'
import type { Coverage } from './coverage.ts'
import type { EventTap } from './event-tap.ts'
import { chargeOf, type LogContext } from './log-row.ts'
import type { CountedText, UsageTap } from './usage-tap.ts'

/** Whatever watches an answer. */
export type AnyTap = UsageTap | EventTap

/** The figures of one request: counted where the upstream was silent, charged once. */
export function createCharging(deps: RelayDeps, delivery: Delivery, coverage?: Coverage) {
  const { call, answer, hold } = delivery
  let counted: CountedText | undefined
  const charge = (tap: AnyTap, ending: Ending, firstByteMs: number): { charge: Charge; usage: Usage } => {
    const usage = usageFor(deps, delivery, tap, ending, counted, coverage)
    return { usage, charge: rowedCharge(deps, delivery, usage, ending, firstByteMs) }
  }
  return {
    charge,
    /** Counts prompt and answer exactly where the upstream gave no figures and the model's tokenizer is known. */
    count(tap: AnyTap): Promise<void> | undefined {
      const text = tap.observed.usage && tap.observed.finished ? undefined : tap.text()
      if (text === undefined) return undefined
      const { texts, extra } = promptOf(deps, call)
      const both = [deps.counter.count(answer.upstreamModel, texts), deps.counter.count(answer.upstreamModel, [text])]
      return Promise.all(both).then(([prompt, completion]) => {
        if (prompt?.source === 'counted' && completion?.source === 'counted')
          counted = { prompt: prompt.tokens + extra, completion: completion.tokens }
      })
    },
    settle(tap: AnyTap, ending: Ending, firstByteMs: number): Usage {
      const charged = charge(tap, ending, firstByteMs)
      hold.settle(charged.charge)
      tellSettled(deps, delivery, charged)
      return charged.usage
    },
  }
}

/** Tells whoever waits for a call of the account from outside. */
function tellSettled(deps: RelayDeps, delivery: Delivery, { usage, charge }: { usage: Usage; charge: Charge }): void {
  const { context, caller, call } = delivery
  if (!deps.settled.isAwaited || caller.tokenId === 0) return
  const tokens = usage.prompt + usage.completion
  const { quota, at } = charge
  deps.settled.tell({ userId: caller.account.id, model: call.model, tokens, quota, requestId: context.requestId, at })
}

function rowedCharge(deps: RelayDeps, delivery: Delivery, usage: Usage, ending: Ending, firstByteMs: number): Charge {
  const { context, caller, call, plan, answer, attempts, skipped } = delivery
  const logContext: LogContext = {
    context,
    caller,
    call,
    group: plan.group,
    attempts,
    skipped,
    channelId: answer.channel.id,
    upstreamModel: answer.upstreamModel,
    firstByteMs: Math.round(firstByteMs),
    tookMs: deps.clock.monotonic() - context.startedMs,
    work: plan.work,
  }
  return chargeOf(logContext, plan, usage, ending, deps.settings.get('LogConsumeEnabled'))
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
  const searches = answer.upstreamEndpoint === 'chat' && SEARCHES.test(answer.upstreamModel) ? 1 : 0
  if (usage.completion <= most && searches <= usage.webSearches) return usage
  return {
    ...usage,
    completion: Math.min(usage.completion, most),
    webSearches: Math.max(usage.webSearches, searches),
  }
}

/** Chat models that search the web once for every answer (spec/relay.md §6.3). */
const SEARCHES = /search-preview/
