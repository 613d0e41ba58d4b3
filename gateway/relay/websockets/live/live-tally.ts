import type { JsonObject } from '../../../base/json/json.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { SearchCount } from '../../formats/gemini/grounding.ts'
import { messageIn } from '../../formats/gemini/message.ts'
import { append, textTokens } from '../realtime/pending.ts'
import type { Tally, TallyDeps } from '../realtime/tally.ts'
import { addInput, addOutput, estimated, type Heard, isSilent, liveUsage, nothingHeard, roughly } from './live-usage.ts'

/**
 * The model's output between two stops, and the input before it: a turn, or its part up to a function call. Each step
 * is billed for the whole session so far.
 */
type Step = {
  received: Heard
  produced: Heard
  usage: Usage | undefined
  unbilled: Heard
  /** How it ended; undefined while active. */
  end: StepEnd | undefined
  isBilled: boolean
  readonly searches: SearchCount
  /** Searches that are charged and billed already. */
  paidSearches: number
}

type StepEnd = 'turnComplete' | 'interrupted' | 'toolCall'

const newStep = (): Step => ({
  received: nothingHeard(),
  produced: nothingHeard(),
  usage: undefined,
  unbilled: nothingHeard(),
  end: undefined,
  isBilled: false,
  searches: new SearchCount(),
  paidSearches: 0,
})

/**
 * Tracks a session of Gemini's Live API. The usage of a step is reported during it, each replacing the last, with its
 * end or right after it. Without any, input and output are measured; if the reports stop early, the output after the last one is measured (docs/reference/streams.md#live-sessions).
 */
export function createLiveTally({
  count,
  paidSearches,
  used,
  failed,
}: Pick<TallyDeps, 'count' | 'paidSearches' | 'used' | 'failed'>): Tally {
  let step = newStep()
  let received = nothingHeard()
  const counting = new Set<Promise<void>>()
  const bill = (): void => {
    if (step.isBilled) return
    const { usage, unbilled } = step
    step.isBilled = true
    billWithSearches(usage)
    if (isSilent(unbilled)) return
    const work = estimated(count, usage ? nothingHeard() : step.received, unbilled)
      .then((own) => used(own, undefined))
      .catch(failed)
    counting.add(work)
    void work.finally(() => counting.delete(work))
  }
  /** Bills figures, if any, with the searches not billed yet, which may be reported before, with or after them. */
  const billWithSearches = (usage: Usage | undefined): void => {
    const webSearches = paidSearches(step.searches.count()) - step.paidSearches
    step.paidSearches += webSearches
    if (usage || webSearches > 0) used({ ...(usage ?? usageOf({})), webSearches }, undefined)
  }
  const begin = (): void => {
    bill()
    step = { ...newStep(), received }
    received = nothingHeard()
  }
  const take = (message: JsonObject): void => {
    const output = nothingHeard()
    const { serverContent, toolCall, usageMetadata } = message
    const { turnComplete, interrupted, ...content } = messageIn(serverContent)
    const end = endIn(turnComplete, interrupted, toolCall)
    const hasOutput = addOutput(message, output)
    if (hasOutput ? step.end !== undefined : isNextWithoutWords(step, end, usageMetadata !== undefined)) begin()
    if (hasOutput) {
      if (isSilent(step.produced)) captureInput()
      add(step.produced, output)
      add(step.unbilled, output)
    }
    step.searches.note(content)
    if (step.isBilled) billWithSearches(undefined)
    const usage = usageMetadata === undefined ? undefined : liveUsage(usageMetadata)
    if (usage) {
      step.usage = usage
      step.unbilled = nothingHeard()
    }
    step.end = end ?? step.end
    if (step.end && step.usage && isSilent(step.unbilled)) bill()
  }
  /** Input before the first output of a step belongs to it, even if its usage came first. */
  const captureInput = (): void => {
    add(step.received, received)
    received = nothingHeard()
  }
  return {
    fromCaller: (event) => addInput(messageIn(event), received),
    fromUpstream(event) {
      try {
        take(messageIn(event))
      } catch (error) {
        failed(error)
      }
      return true
    },
    underWay: () => (step.isBilled || isSilent(step.produced) ? 0 : roughly(step.produced) + roughly(step.received)),
    unreadTokens: () => textTokens(received),
    transcribing: () => [],
    isAnswering: () => step.end === undefined && !isSilent(step.produced),
    async finish() {
      bill()
      await Promise.all(counting)
    },
  }
}

function endIn(turnComplete: unknown, interrupted: unknown, toolCall: unknown): StepEnd | undefined {
  if (turnComplete === true) return 'turnComplete'
  if (interrupted === true) return 'interrupted'
  return toolCall === undefined ? undefined : 'toolCall'
}

/**
 * Whether an end with usage and without output belongs to another step than the billed one: a turn interrupted before
 * its first output is billed too. An interruption is followed by a completion, which is the same end.
 */
const isNextWithoutWords = (step: Step, end: StepEnd | undefined, hasFigures: boolean): boolean =>
  step.isBilled && hasFigures && end !== undefined && !(step.end === 'interrupted' && end === 'turnComplete')

function add(all: Heard, more: Heard): void {
  append(all, more)
  all.pictures += more.pictures
}
