import type { JsonObject } from '../../../base/json/json.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { SearchCount } from '../../formats/gemini/grounding.ts'
import { messageIn } from '../../formats/gemini/message.ts'
import { append, textTokens } from '../realtime/pending.ts'
import type { Tally, TallyDeps } from '../realtime/tally.ts'
import {
  addInput,
  addOutput,
  addTranscript,
  estimated,
  type Heard,
  isSilent,
  liveUsage,
  nothingHeard,
  roughly,
  type Transcribed,
} from './live-usage.ts'
import { type ContinuedSession, createSessionContext } from './session-context.ts'

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

type LiveTallyDeps = Pick<TallyDeps, 'count' | 'paidSearches' | 'used' | 'failed'> & ContinuedSession

/**
 * Tracks a session of Gemini's Live API. The usage of a step is reported during it (each report replaces the last),
 * with its end, or right after it. Without reports, input and output are measured; if the reports stop early, the
 * output after the last one is measured (docs/reference/streams.md#live-sessions).
 */
export function createLiveTally({ count, paidSearches, used, failed, resumed, remember }: LiveTallyDeps): Tally {
  let step = newStep()
  const context = createSessionContext({ resumed, remember })
  /** Whether the caller has requested a turn for which no output has arrived. */
  let isRequested = false
  const received = nothingHeard()
  const transcribed = { audio: nothingHeard(), text: nothingHeard() }
  const charges = createMeasuredCharges((usage) => used(usage, undefined), failed)
  /** `again` is the context if the upstream has reported no figures. */
  const bill = (again = context.known()): void => {
    if (step.isBilled) return
    const { usage, unbilled } = step
    step.isBilled = true
    billWithSearches(usage)
    if (isSilent(unbilled)) return
    const [reread, input] = usage ? [usageOf({}), nothingHeard()] : [again, step.received]
    charges.add(estimated(count, reread, input, unbilled))
  }
  const billWithSearches = (usage: Usage | undefined) => chargeWithSearches(step, usage, { paidSearches, used })
  const begin = (): void => {
    bill()
    step = newStep()
    move(received, step.received)
  }
  const take = (message: JsonObject): void => {
    const output = nothingHeard()
    const { serverContent, toolCall, usageMetadata } = message
    const { turnComplete, interrupted, ...content } = messageIn(serverContent)
    const end = endIn(turnComplete, interrupted, toolCall)
    const hasOutput = addOutput(message, output)
    if (hasOutput ? step.end !== undefined : isNextWithoutWords(step, end, usageMetadata !== undefined)) begin()
    if (hasOutput || end) isRequested = false
    addTranscript(message, transcribed, received)
    if (hasOutput) addTo(step, output, received, transcribed)
    step.searches.note(content)
    if (step.isBilled) billWithSearches(undefined)
    const usage = usageMetadata === undefined ? undefined : liveUsage(usageMetadata)
    if (usage) {
      Object.assign(step, { usage, unbilled: nothingHeard() })
      context.report(usage)
      clear(transcribed)
    }
    step.end = end ?? step.end
    if (step.end && step.usage && isSilent(step.unbilled)) bill()
    if (context.noteHandle(message) || usage) rememberContext()
  }
  const rememberContext = () =>
    context.remember(received, ...(step.usage ? [step.unbilled] : [step.received, step.produced]))
  return {
    fromCaller(event) {
      addInput(messageIn(event), received)
      isRequested ||= requestsTurn(messageIn(event))
    },
    fromUpstream(event) {
      try {
        take(messageIn(event))
      } catch (error) {
        failed(error)
      }
      return true
    },
    underWay: () => activeTokens(step) + roughly(transcribed.text) + roughly(transcribed.audio),
    unreadTokens: () => textTokens(received),
    transcribing: () => [],
    isAnswering: () => step.end === undefined && !isSilent(step.produced),
    isAwaited: () => isRequested || (!step.isBilled && !isSilent(step.unbilled)),
    async finish(ending) {
      rememberContext()
      bill(context.atEnd(ending))
      if (!isSilent(transcribed.text)) charges.add(estimated(count, usageOf({}), transcribed.audio, transcribed.text))
      await charges.all()
    },
  }
}

/** Reports measured usages; `all` resolves once every one is counted. */
function createMeasuredCharges(used: (usage: Usage) => void, failed: TallyDeps['failed']) {
  const counting = new Set<Promise<void>>()
  return {
    add(measured: Promise<Usage>) {
      const work = measured.then(used).catch(failed)
      counting.add(work)
      void work.finally(() => counting.delete(work))
    },
    all: () => Promise.all(counting),
  }
}

/** Charges figures, if any, with the searches not billed yet, which may be reported before, with or after them. */
function chargeWithSearches(
  step: Step,
  usage: Usage | undefined,
  { paidSearches, used }: Pick<TallyDeps, 'paidSearches' | 'used'>,
): void {
  const webSearches = paidSearches(step.searches.count()) - step.paidSearches
  step.paidSearches += webSearches
  if (usage || webSearches > 0) used({ ...(usage ?? usageOf({})), webSearches }, undefined)
}

/** Whether a message makes the model respond; audio does so when the upstream detects its end. */
function requestsTurn({ clientContent, realtimeInput, toolResponse }: JsonObject): boolean {
  const { text, activityEnd, audioStreamEnd } = messageIn(realtimeInput)
  const isTurn = messageIn(clientContent).turnComplete === true
  return isTurn || [text, activityEnd, audioStreamEnd, toolResponse].some((member) => member !== undefined)
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

/** Adds output to a step. Input before the first output belongs to it, even if its usage came first. */
function addTo(step: Step, output: Heard, received: Heard, transcribed: Transcribed): void {
  if (isSilent(step.produced)) {
    move(received, step.received)
    move(transcribed.audio, step.received)
    clear(transcribed)
  }
  add(step.produced, output)
  add(step.unbilled, output)
}

function clear({ audio, text }: Transcribed): void {
  Object.assign(audio, nothingHeard())
  Object.assign(text, nothingHeard())
}

const activeTokens = ({ isBilled, produced, received }: Step): number =>
  isBilled || isSilent(produced) ? 0 : roughly(produced) + roughly(received)

/** Moves input to the step that reads it. */
function move(from: Heard, to: Heard): void {
  add(to, from)
  Object.assign(from, nothingHeard())
}

function add(all: Heard, more: Heard): void {
  append(all, more)
  all.images += more.images
}
