import type { MaybePromise } from '../../../base/maybe-promise.ts'
import { chargeFor, holdFor, outputWithin } from '../../../billing/meter.ts'
import { sumOf, type Usage, usageOf } from '../../../billing/usage.ts'
import type { Ending } from '../../model/outcome.ts'
import { isUsed, openParts, type ReservedSession, type SessionMeterDeps } from './session-parts.ts'
import type { Transcribing } from './transcripts.ts'

/** Meters a session: its model's tokens under its reservation, those of transcription models separately. */
export interface SessionMeter {
  /** Adds a usage; returns false once the caller cannot reserve more for what comes next. */
  add(usage: Usage, model: string | undefined): boolean
  /** Whether the next prompt is paid for with this many more tokens of text; extends the reservation if not. */
  affords(tokens: number): boolean
  /**
   * Whether a response with this many tokens, and parallel transcriptions, are paid for; extends the reservation if
   * not.
   */
  covers(tokens: number, transcribing: readonly Transcribing[]): boolean
  isEmpty(): boolean
  checkpoint(firstByteMs: number): void
  /** Charges everything, once; resolves when that is durable. */
  settle(ending: Ending, firstByteMs: number): MaybePromise<void>
}

/**
 * The session's reservation is settled at its end, or released if only other models were used and its price is not
 * fixed. `resumed` is the last known prompt of the session that this one continues.
 */
export function openSessionMeter(deps: SessionMeterDeps, admitted: ReservedSession, resumed?: Usage): SessionMeter {
  const { plan, hold } = admitted
  const parts = openParts(deps, admitted)
  const { price, quotaPerUnit, extras } = plan
  const minPrompt = holdFor(MIN_PROMPT, 0, 0, price, quotaPerUnit)
  const costOfPrompt = (usage: Usage) =>
    Math.max(minPrompt, chargeFor({ ...usage, completion: 0, audioOutput: 0 }, price, quotaPerUnit))
  /** Quota for the input of the next response: as much as for that of the last one, which it continues. */
  let prompt = resumed ? costOfPrompt(resumed) : minPrompt
  let covered = outputWithin(hold.quota - prompt, 0, price, quotaPerUnit, extras)
  /** Quota reserved for text that no response has read yet. */
  let unread = 0
  /** Paid limits of transcriptions, and the quota reserved for them. */
  let paid: readonly Transcribing[] = []
  let reserved = 0
  /** Quota reserved beyond what is owed. */
  let left = hold.quota
  const isPaid = ({ model, heard, output }: Transcribing) =>
    paid.some((one) => one.model === model && heard <= one.heard && output <= one.output)
  /** The charge that transcriptions add to their parts once they have grown by `more` tokens. */
  const costOf = (transcribing: readonly Transcribing[], more: number): number =>
    transcribing.reduce((quota, { model, heard, output }) => {
      const part = parts.of(model)
      const usage = sumOf(part.usage, usageOf({ prompt: heard, audioInput: heard, completion: output + more }))
      return quota + parts.owed({ ...part, usage }) - parts.owed(part)
    }, 0)
  /**
   * Keeps the reservation `wanted` ahead of what is owed, or as far as the balance allows; returns false if that is
   * below `min`.
   */
  const isAhead = (wanted: number, min: number): boolean => {
    const owed = parts.all().reduce((quota, part) => quota + parts.owed(part), 0)
    const ahead = hold.quota - owed
    const isDone = ahead >= wanted || hold.extend(wanted - ahead, Math.max(min - ahead, 0)) || ahead >= min
    left = hold.quota - owed
    covered = outputWithin(left - reserved - prompt - unread, 0, price, quotaPerUnit, extras)
    return isDone
  }
  return {
    add(usage, model) {
      const part = parts.of(model)
      part.usage = sumOf(part.usage, usage)
      paid = []
      reserved = 0
      // A usage without a prompt adds to a response that is billed already.
      if (part.call === admitted.call && usage.prompt > 0) {
        unread = 0
        prompt = costOfPrompt(usage)
      }
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
      reserved = costOf(transcribing, STEP)
      const needed = cost(STEP) + reserved
      const isDone = isAhead(needed, min)
      paid = left < needed ? [] : transcribing.map((one) => ({ ...one, output: one.output + STEP }))
      return isDone
    },
    isEmpty: () => !parts.all().some(isUsed),
    checkpoint: (firstByteMs) => parts.checkpoint(firstByteMs),
    settle: (ending, firstByteMs) => parts.settle(ending, firstByteMs),
  }
}

/** A response has some prompt tokens even if the caller has sent nothing. */
const MIN_PROMPT = 64
/** Tokens of a response reserved at once. */
const STEP = 1024
