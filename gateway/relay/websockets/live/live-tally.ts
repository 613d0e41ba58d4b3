import type { JsonObject } from '../../../base/json/json.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { SearchCount } from '../../formats/gemini/grounding.ts'
import { messageIn } from '../../formats/gemini/message.ts'
import { reasoningIn } from '../../metering/silence.ts'
import { append, emptyPending, isNothing, type Pending, readTokens } from '../realtime/pending.ts'
import { guarded, type Tally, type TallyDeps } from '../realtime/tally.ts'
import { addInput, addOutput, addTranscript, estimated, liveUsage, roughly, type Transcribed } from './live-usage.ts'
import { type ContinuedSession, createSessionContext } from './session-context.ts'

/**
 * The model's output between two stops, and the input before it: a turn, or its part up to a function call. Each step
 * is billed for the whole session so far.
 */
type Step = {
  received: Pending
  produced: Pending
  usage: Usage | undefined
  unbilled: Pending
  /** How it ended; undefined while active. */
  end: StepEnd | undefined
  isBilled: boolean
  readonly searches: SearchCount
  /** Searches that are charged and billed already. */
  paidSearches: number
  /** How long the model was silent before the first output. */
  silentMs: number
}

type StepEnd = 'turnComplete' | 'interrupted' | 'toolCall'

const newStep = (): Step => ({
  received: emptyPending(),
  produced: emptyPending(),
  usage: undefined,
  unbilled: emptyPending(),
  end: undefined,
  isBilled: false,
  searches: new SearchCount(),
  paidSearches: 0,
  silentMs: 0,
})

type LiveTallyDeps = Pick<TallyDeps, 'count' | 'paidSearches' | 'used' | 'failed' | 'now' | 'reasons'> &
  ContinuedSession

/**
 * Tracks a session of Gemini's Live API. The usage of a step is reported during it (each report replaces the last),
 * with its end, or right after it. Without reports, input and output are measured; if the reports stop early, the
 * output after the last one is measured (docs/reference/streams.md#live-sessions).
 */
export function createLiveTally(deps: LiveTallyDeps): Tally {
  let step = newStep()
  const context = createSessionContext(deps)
  const requests = createRequests(deps.now)
  const received = emptyPending()
  const transcribed = { audio: emptyPending(), text: emptyPending() }
  const charges = createMeasuredCharges(deps)
  /** `again`: the context that the upstream has read again, used if it has reported no figures. */
  const bill = (again = context.known()): void => {
    if (step.isBilled) return
    const { usage, unbilled } = step
    step.isBilled = true
    billWithSearches(usage)
    if (isNothing(unbilled)) return
    // Figures reported within a step include its input and reasoning, so only the output since then is added.
    if (usage) charges.add(usageOf({}), { input: emptyPending(), output: unbilled })
    else charges.add(again, { input: step.received, output: unbilled, silentMs: step.silentMs })
  }
  const billWithSearches = (usage: Usage | undefined) => chargeWithSearches(step, usage, deps)
  const begin = (): void => {
    bill()
    step = newStep()
    move(received, step.received)
  }
  const take = (message: JsonObject): void => {
    const output = emptyPending()
    const { serverContent, toolCall, usageMetadata } = message
    const { turnComplete, interrupted, ...content } = messageIn(serverContent)
    const end = endIn(turnComplete, interrupted, toolCall)
    const hasOutput = addOutput(message, output)
    if (hasOutput ? step.end !== undefined : isNextWithoutWords(step, end, usageMetadata !== undefined)) begin()
    if (hasOutput || end) requests.answered()
    addTranscript(message, transcribed, received)
    if (hasOutput && isNothing(step.produced)) step.silentMs = requests.silentMs()
    if (hasOutput) addTo(step, output, received, transcribed)
    step.searches.note(content)
    if (step.isBilled) billWithSearches(undefined)
    const usage = usageMetadata === undefined ? undefined : liveUsage(usageMetadata)
    if (usage) {
      Object.assign(step, { usage, unbilled: emptyPending() })
      context.report(usage)
      clear(transcribed)
    }
    step.end = end ?? step.end
    if (step.end && step.usage && isNothing(step.unbilled)) bill()
    if (context.noteHandle(message) || usage) rememberContext()
  }
  const rememberContext = () =>
    context.remember(received, ...(step.usage ? [step.unbilled] : [step.received, step.produced]))
  return {
    fromCaller(event) {
      addInput(messageIn(event), received)
      requests.note(messageIn(event))
    },
    fromUpstream: (event) => guarded(() => take(messageIn(event)), deps.failed),
    underWay: () => activeTokens(step) + roughly(transcribed.text) + roughly(transcribed.audio),
    unreadTokens: () => readTokens(received),
    transcribing: () => [],
    isAnswering: () => step.end === undefined && !isNothing(step.produced),
    isAwaited: () => requests.isOpen() || (!step.isBilled && !isNothing(step.unbilled)),
    async finish(_, hasLeft = false) {
      rememberContext()
      bill(context.atEnd())
      if (hasLeft && requests.isOpen())
        charges.add(context.atEnd(), { input: received, output: emptyPending(), silentMs: requests.silentMs() })
      if (!isNothing(transcribed.text)) charges.add(usageOf({}), { input: transcribed.audio, output: transcribed.text })
      await charges.all()
    },
  }
}

/**
 * Tracks whether the caller has requested a turn for which no output has arrived, and the silence since its last event.
 */
function createRequests(now: () => number) {
  let isOpen = false
  let sentMs = now()
  return {
    note(event: JsonObject) {
      sentMs = now()
      isOpen ||= requestsTurn(event)
    },
    answered() {
      isOpen = false
    },
    isOpen: () => isOpen,
    silentMs: () => now() - sentMs,
  }
}

type Measured = Readonly<{ input: Pending; output: Pending; silentMs?: number }>

/** Reports measured usages; `all` resolves once every one is counted. */
function createMeasuredCharges({ count, used, failed, reasons }: LiveTallyDeps) {
  const counting = new Set<Promise<void>>()
  return {
    add(context: Usage, { input, output, silentMs = 0 }: Measured) {
      const reasoning = reasons ? reasoningIn(silentMs) : 0
      const work = estimated(count, context, { input, output, reasoning })
        .then((usage) => used(usage, undefined))
        .catch(failed)
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

/**
 * Adds output to a step. Input that arrived before its first output belongs to the step, even if the step's usage came
 * first.
 */
function addTo(step: Step, output: Pending, received: Pending, transcribed: Transcribed): void {
  if (isNothing(step.produced)) {
    move(received, step.received)
    move(transcribed.audio, step.received)
    clear(transcribed)
  }
  append(step.produced, output)
  append(step.unbilled, output)
}

function clear({ audio, text }: Transcribed): void {
  Object.assign(audio, emptyPending())
  Object.assign(text, emptyPending())
}

const activeTokens = ({ isBilled, produced, received }: Step): number =>
  isBilled || isNothing(produced) ? 0 : roughly(produced) + roughly(received)

function move(from: Pending, to: Pending): void {
  append(to, from)
  Object.assign(from, emptyPending())
}
