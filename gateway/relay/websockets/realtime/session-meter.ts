import type { MaybePromise } from '../../../base/maybe-promise.ts'
import { chargeFor, holdFor, outputWithin } from '../../../billing/meter.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import type { Ending } from '../../model/outcome.ts'
import { type HeldSession, isUsed, openParts, type SessionMeterDeps } from './session-parts.ts'
import type { Transcribing } from './transcripts.ts'
import { sum } from './usage.ts'

/** What one session costs: its own model's tokens under its reservation, those of a model that writes down beside it. */
export interface SessionMeter {
  /** Adds what was used; false once the caller has no more to set aside for what comes next. */
  add(usage: Usage, model: string | undefined): boolean
  /** Whether the next prompt can be paid for with so many more tokens of text; reserves more where it is not. */
  affords(tokens: number): boolean
  /** Whether an answer that has come to so many tokens, and transcriptions beside it, are paid for; asks for more where they are not. */
  covers(tokens: number, transcribing: readonly Transcribing[]): boolean
  isEmpty(): boolean
  checkpoint(firstByteMs: number): void
  /** Charges everything, once; answers when that is durable. */
  settle(ending: Ending, firstByteMs: number): MaybePromise<void>
}

/** Opens the meter of an admitted session; its reservation is settled, or released where nothing was begun. */
export function openSessionMeter(deps: SessionMeterDeps, admitted: HeldSession): SessionMeter {
  const { plan, hold } = admitted
  const parts = openParts(deps, admitted)
  const { price, quotaPerUnit, extras } = plan
  const minPrompt = holdFor(MIN_PROMPT, 0, 0, price, quotaPerUnit)
  /** What the next answer costs besides its output: as much as the last one, which it goes on from. */
  let prompt = minPrompt
  /** Tokens of the answer under way that are paid for. */
  let covered = outputWithin(hold.quota - prompt, 0, price, quotaPerUnit, extras)
  /** What is reserved for text that no answer has read yet. */
  let unread = 0
  /** What transcriptions that are paid for may come to, and what is set aside for them. */
  let paid: readonly Transcribing[] = []
  let aside = 0
  /** What is set aside beyond what is owed. */
  let left = hold.quota
  const isPaid = ({ model, heard, said }: Transcribing) =>
    paid.some((one) => one.model === model && heard <= one.heard && said <= one.said)
  /** What transcriptions add to the charge of their parts once they have come to `more` tokens than now. */
  const costOf = (transcribing: readonly Transcribing[], more: number): number =>
    transcribing.reduce((quota, { model, heard, said }) => {
      const part = parts.of(model)
      const usage = sum(part.usage, usageOf({ prompt: heard, audioInput: heard, completion: said + more }))
      return quota + parts.owed({ ...part, usage }) - parts.owed(part)
    }, 0)
  /** Keeps what is set aside ahead of what is owed by `wanted`, or what is left of it; false where that is below `least`. */
  const isAhead = (wanted: number, min: number): boolean => {
    const owed = parts.all().reduce((quota, part) => quota + parts.owed(part), 0)
    const ahead = hold.quota - owed
    const isDone = ahead >= wanted || hold.extend(wanted - ahead, Math.max(min - ahead, 0)) || ahead >= min
    left = hold.quota - owed
    covered = outputWithin(left - aside - prompt - unread, 0, price, quotaPerUnit, extras)
    return isDone
  }
  return {
    add(usage, model) {
      const part = parts.of(model)
      part.usage = sum(part.usage, usage)
      paid = []
      aside = 0
      if (part.call === admitted.call) unread = 0
      if (part.call === admitted.call)
        prompt = Math.max(minPrompt, chargeFor({ ...usage, completion: 0, audioOutput: 0 }, price, quotaPerUnit))
      return isAhead(prompt + plan.holdQuota, plan.minHoldQuota)
    },
    affords(tokens) {
      if (price.fixed !== null) return true
      const cost = holdFor(tokens, 0, 0, price, quotaPerUnit)
      const isReserved = cost <= unread
      unread = cost
      return isReserved || isAhead(prompt + cost + plan.holdQuota, prompt + cost)
    },
    covers(tokens, transcribing) {
      if (tokens <= covered && transcribing.every(isPaid)) return true
      const cost = (more: number) =>
        tokens === 0 ? 0 : prompt + holdFor(0, tokens + more, 0, price, quotaPerUnit, extras)
      const min = cost(0) + costOf(transcribing, 0)
      aside = costOf(transcribing, STEP)
      const wanted = cost(STEP) + aside
      const isDone = isAhead(wanted, min)
      paid = left < wanted ? [] : transcribing.map((one) => ({ ...one, said: one.said + STEP }))
      return isDone
    },
    isEmpty: () => !parts.all().some(isUsed),
    checkpoint: (firstByteMs) => parts.checkpoint(firstByteMs),
    settle: (ending, firstByteMs) => parts.settle(ending, firstByteMs),
  }
}

/** An answer has some tokens of prompt even where the caller has said nothing. */
const MIN_PROMPT = 64
/** Tokens of an answer for which more is asked at once. */
const STEP = 1024
