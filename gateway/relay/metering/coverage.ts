import type { Clock } from '../../base/clock.ts'
import type { Hold } from '../../billing/ledger.ts'
import { chargeFor, holdFor, outputWithin, usagePrice } from '../../billing/meter.ts'
import type { Usage } from '../../billing/usage.ts'
import { withoutTools } from '../admission/admit.ts'
import type { Plan } from '../model/plan.ts'
import type { AnyTap } from './charge.ts'
import { isCounted } from './usage-tap.ts'

/** Tokens of output that are asked for at first beyond what has come; each time twice as many. */
const FIRST_STEP = 256
const MAX_STEP = 16_384
/** What a model is taken to think in a second where nobody sees it. */
const UNSEEN_TOKENS_A_SECOND = 50

/**
 * Keeps what is set aside for a stream ahead of what it costs. Between two extensions a chunk costs one comparison. A
 * class: one is made for each stream.
 */
export class Coverage {
  /** Tokens of output that had gone out after the last chunk that was covered. */
  #delivered = 0
  /** Those of them that were said aloud. */
  #spoken = 0
  readonly #plan: Plan
  readonly #hold: Hold
  /** Tokens of output that are known to be paid for. */
  #covered: number
  /** What is paid for besides output; tokens of prompt where the upstream has not said. */
  #input: Usage | undefined
  #step = FIRST_STEP
  readonly #clock: Clock
  /** When the call began, and when the first of its output came; monotonic milliseconds. */
  readonly #startedMs: number
  #spokeMs: number | undefined

  constructor(plan: Plan, hold: Hold, clock: Clock, startedMs: number) {
    this.#plan = plan
    this.#hold = hold
    this.#clock = clock
    this.#startedMs = startedMs
    this.#covered = hold.quota >= plan.holdQuota ? plan.expected.output : this.#within()
  }

  /**
   * Whether what `tap` has seen is paid for; asks for more where it is not. What ends an answer is told by its text
   * alone: figures that go beyond what was produced are charged as they are
   * (docs/reference/reliability.md#money-invariants).
   */
  covers(tap: AnyTap): boolean {
    const { observed } = tap
    const sofar = tap.tokens()
    if (sofar > 0) this.#spokeMs ??= this.#clock.monotonic()
    if (observed.finished) {
      const tokens = Math.min(sofar, isCounted(observed) ? (observed.usage?.completion ?? sofar) : sofar)
      return sofar === this.#delivered || this.#isWithin(tokens, sofar, tap)
    }
    if (observed.usage && observed.usage !== this.#input && inputOf(observed.usage) !== inputOf(this.#input)) {
      this.#input = observed.usage
      this.#covered = this.#within()
    }
    return this.#isWithin(tap.max(), sofar, tap)
  }

  /**
   * The usage of a caller that left, with what its model has thought unseen before the first of its output, as far as that is
   * paid for (docs/reference/billing.md#disconnected-callers).
   */
  withUnseen(usage: Usage): Usage {
    if (!this.#plan.expected.hasHiddenReasoning) return usage
    const seconds = Math.floor(((this.#spokeMs ?? this.#clock.monotonic()) - this.#startedMs) / 1000)
    const thought = Math.max(seconds * UNSEEN_TOKENS_A_SECOND, usage.reasoning)
    const max = Math.max(this.#covered, this.#delivered, usage.completion)
    const completion = Math.min(usage.completion - usage.reasoning + thought, max)
    if (completion === usage.completion) return usage
    return { ...usage, completion, reasoning: usage.reasoning + completion - usage.completion, source: 'estimated' }
  }

  /** What is charged where there was no more to pay with: what had gone out, without the chunk that was too much. */
  paidOf(tap: AnyTap, promptSize: () => number): Usage {
    const usage = tap.usage(() => Math.min(promptSize(), this.#plan.expected.prompt))
    if (usage.completion <= this.#delivered) return usage
    // What nobody asked to be said aloud is not set aside for as speech.
    const spoken = this.#plan.extras.possible?.hasAudioOutput ? this.#spoken : 0
    const audioOutput = Math.min(spoken, this.#delivered)
    return { ...usage, completion: this.#delivered, reasoning: 0, audioOutput, source: 'estimated' }
  }

  #isWithin(tokens: number, sofar: number, tap: AnyTap): boolean {
    if (tokens > this.#covered && !this.#extend(tokens)) return false
    this.#delivered = sofar
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

/** Of what may come about, that which makes output dearer. */
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

/** All of a usage that is no output. */
function inputOf(usage: Usage | undefined): number {
  if (!usage) return -1
  const tools =
    usage.webSearches + usage.fileSearches + usage.containerGigabytes + (usage.secondModel?.tokens.completion ?? 0)
  return usage.prompt + usage.cacheRead + usage.cacheWrite + tools
}
