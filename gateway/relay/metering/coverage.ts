import type { Clock } from '../../base/clock.ts'
import type { Hold } from '../../billing/ledger.ts'
import { chargeFor, holdFor, outputWithin, usagePrice } from '../../billing/meter.ts'
import type { Usage } from '../../billing/usage.ts'
import { withoutTools } from '../admission/admit.ts'
import type { Plan } from '../model/plan.ts'
import type { AnyTap } from './event-tap.ts'
import { MIN_SILENCE_MS, reasoningIn } from './silence.ts'
import { isCounted } from './usage-tap.ts'

/** Tokens of output reserved at first beyond what has arrived; doubled at each extension, up to `MAX_STEP`. */
const FIRST_STEP = 256
const MAX_STEP = 16_384

/** Keeps the reservation of a stream ahead of its cost. A class: one is created per stream. */
export class Coverage {
  /** Tokens of output up to the end of the last covered chunk. */
  #delivered = 0
  /** Audio tokens among the delivered ones. */
  #spoken = 0
  readonly #plan: Plan
  readonly #hold: Hold
  /** Tokens of output known to be paid for. */
  #covered: number
  /** The reported usage, from which all but the output is priced; until there is one, the expected prompt is priced. */
  #input: Usage | undefined
  #step = FIRST_STEP
  readonly #clock: Clock
  /** When output last came, at first when the call started; monotonic milliseconds. */
  #heardMs: number
  /** Milliseconds without output before the answer, in silences of at least a second. */
  #silentMs = 0
  /** The last output was part of the answer. */
  #isAnswering = false

  constructor(plan: Plan, hold: Hold, clock: Clock, startedMs: number) {
    this.#plan = plan
    this.#hold = hold
    this.#clock = clock
    this.#heardMs = startedMs
    this.#covered = hold.quota >= plan.holdQuota ? plan.expected.output : this.#within()
  }

  /**
   * Whether what `tap` has seen is paid for; extends the reservation if it is not. Only output text ends a response:
   * reported usage beyond what was produced is charged as reported (docs/reference/reliability.md#money-invariants).
   */
  covers(tap: AnyTap): boolean {
    const { observed } = tap
    const tokensSoFar = tap.tokens()
    if (observed.isThinking && this.#isAnswering) {
      this.#endSilence()
      this.#isAnswering = false
    }
    if (tokensSoFar > this.#delivered) {
      this.#endSilence()
      this.#isAnswering = !observed.isThinking
    }
    if (observed.finished) {
      const tokens = Math.min(
        tokensSoFar,
        isCounted(observed) ? (observed.usage?.completion ?? tokensSoFar) : tokensSoFar,
      )
      return tokensSoFar === this.#delivered || this.#isWithin(tokens, tokensSoFar, tap)
    }
    if (observed.usage && observed.usage !== this.#input && inputOf(observed.usage) !== inputOf(this.#input)) {
      this.#input = observed.usage
      this.#covered = this.#within()
    }
    return this.#isWithin(tap.max(), tokensSoFar, tap)
  }

  /**
   * Adds hidden reasoning, estimated from the silences, to a usage that was not reported completely, such as that of a
   * caller that left, as far as it is paid for (docs/reference/billing.md#disconnected-callers).
   */
  withUnseen(usage: Usage): Usage {
    if (!this.#plan.expected.hasHiddenReasoning) return usage
    this.#endSilence()
    const thought = Math.max(reasoningIn(this.#silentMs) * this.#plan.expected.choices, usage.reasoning)
    const max = Math.max(this.#covered, this.#delivered, usage.completion)
    const completion = Math.min(usage.completion - usage.reasoning + thought, max)
    if (completion === usage.completion) return usage
    return { ...usage, completion, reasoning: usage.reasoning + completion - usage.completion, source: 'estimated' }
  }

  /** The usage to charge if the balance ran out: what was sent, without the chunk that exceeded it. */
  paidOf(tap: AnyTap, promptSize: () => number): Usage {
    const usage = tap.usage(() => Math.min(promptSize(), this.#plan.expected.prompt))
    if (usage.completion <= this.#delivered) return usage
    // Audio that was not requested is not reserved as audio.
    const spoken = this.#plan.extras.possible?.hasAudioOutput ? this.#spoken : 0
    const audioOutput = Math.min(spoken, this.#delivered)
    return { ...usage, completion: this.#delivered, reasoning: 0, audioOutput, source: 'estimated' }
  }

  #endSilence(): void {
    if (!this.#plan.expected.hasHiddenReasoning) return
    const nowMs = this.#clock.monotonic()
    if (!this.#isAnswering && nowMs - this.#heardMs >= MIN_SILENCE_MS) this.#silentMs += nowMs - this.#heardMs
    this.#heardMs = nowMs
  }

  #isWithin(tokens: number, tokensSoFar: number, tap: AnyTap): boolean {
    if (tokens > this.#covered && !this.#extend(tokens)) return false
    this.#delivered = tokensSoFar
    this.#spoken = tap.spoken()
    return true
  }

  #extend(tokens: number): boolean {
    const min = this.#costOf(tokens) - this.#hold.quota
    const isExtended = min <= 0 || this.#hold.extend(this.#costOf(tokens + this.#step) - this.#hold.quota, min)
    if (min > 0) this.#step = Math.min(2 * this.#step, MAX_STEP)
    this.#covered = Math.max(this.#within(), isExtended ? tokens : 0)
    return isExtended
  }

  #costOf(tokens: number): number {
    const { expected, price, quotaPerUnit, extras } = this.#plan
    const input = this.#input
    if (!input) return holdFor(expected.prompt, tokens, 0, price, quotaPerUnit, withoutTools(extras))
    return chargeFor({ ...input, completion: 0, audioOutput: 0 }, price, quotaPerUnit, extras) + this.#outputOf(tokens)
  }

  #outputOf(tokens: number): number {
    const { price, quotaPerUnit, extras } = this.#plan
    const at = this.#input ? usagePrice(this.#input, price) : price
    return holdFor(0, tokens, 0, at, quotaPerUnit, speakingOnly(extras))
  }

  #within(): number {
    const { expected, price, quotaPerUnit, extras } = this.#plan
    const input = this.#input
    if (!input) return outputWithin(this.#hold.quota, expected.prompt, price, quotaPerUnit, withoutTools(extras))
    const rest = this.#hold.quota - chargeFor({ ...input, completion: 0, audioOutput: 0 }, price, quotaPerUnit, extras)
    return outputWithin(rest, 0, usagePrice(input, price), quotaPerUnit, speakingOnly(extras))
  }
}

const speakingOnly = (extras: Plan['extras']): Plan['extras'] =>
  extras.possible
    ? {
        ...extras,
        possible: {
          hasAudioOutput: extras.possible.hasAudioOutput ?? false,
          ...(extras.possible.tiers ? { tiers: extras.possible.tiers } : {}),
        },
      }
    : extras

function inputOf(usage: Usage | undefined): number {
  if (!usage) return -1
  const tools =
    usage.webSearches + usage.fileSearches + usage.containerGigabytes + (usage.secondModel?.tokens.completion ?? 0)
  return usage.prompt + usage.cacheRead + usage.cacheWrite + tools
}
