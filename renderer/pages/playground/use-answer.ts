import { useEffect, useRef, useState } from 'react'
import { complete } from './completion.ts'
import type { Message, MessageState, Sent, Spent, Timing } from './conversation.ts'
import { costOf } from './cost-of.ts'
import { brokenOff, type PlayFailure } from './play-failure.ts'
import type { PlaySettings } from './settings.ts'

type OnChange = (change: Partial<Message>) => void

/** One answer at a time; leaving the page aborts it. */
type Answering = Readonly<{
  isBusy: boolean
  request: (messages: readonly Sent[], settings: PlaySettings, onChange: OnChange) => void
  stop: () => void
}>

/** Fetches answers, with their text as it arrives, outcome and cost (docs/reference/screens.md#playground). */
export function useAnswer(): Answering {
  const [isBusy, setBusy] = useState(false)
  const life = useRef(new AbortController())
  const stopper = useRef(new AbortController())
  useEffect(() => {
    life.current = new AbortController()
    return () => life.current.abort()
  }, [])
  const request = async (messages: readonly Sent[], settings: PlaySettings, onChange: OnChange) => {
    stopper.current = new AbortController()
    setBusy(true)
    const signal = AbortSignal.any([life.current.signal, stopper.current.signal])
    const { failure, ...facts } = await fetchAnswer(messages, settings, onChange, signal).catch((fault) => {
      onChange({ state: 'error', failure: brokenOff() })
      setBusy(false)
      throw fault
    })
    onChange({ state: endOf(failure, signal), failure, ...facts })
    setBusy(false)
    const { requestId } = facts
    const cost = requestId && (await costOf(requestId, life.current.signal).catch(() => undefined))
    if (cost) onChange({ spent: cost })
  }
  return { isBusy, request: (...question) => void request(...question), stop: () => stopper.current.abort() }
}

type Ended = Readonly<{
  failure: PlayFailure | undefined
  requestId: string
  spent: Spent | undefined
  timing: Timing | undefined
}>

async function fetchAnswer(
  messages: readonly Sent[],
  settings: PlaySettings,
  onChange: OnChange,
  signal: AbortSignal,
): Promise<Ended> {
  const started = performance.now()
  const elapsed = () => performance.now() - started
  let requestId = ''
  let spent: Spent | undefined
  let firstMs: number | undefined
  const typing = createTyping((text, reasoning) => onChange({ text, reasoning, state: 'incomplete' }))
  const listener = {
    onRequestId: (id: string) => {
      requestId = id
      // Stored at once, so that the cost can be looked up even if the page is closed before the end.
      onChange({ requestId })
    },
    onDelta: (delta: Parameters<typeof typing.add>[0]) => {
      firstMs ??= elapsed()
      typing.add(delta)
    },
    onUsage: (usage: Spent) => {
      spent = usage
    },
  }
  try {
    const failure = await complete(messages, settings, listener, signal)
    // An answer without text has no speed.
    return { failure, requestId, spent, timing: firstMs === undefined ? undefined : { firstMs, totalMs: elapsed() } }
  } finally {
    typing.end()
  }
}

function endOf(failure: PlayFailure | undefined, signal: AbortSignal): MessageState {
  if (failure) return 'error'
  return signal.aborted ? 'stopped' : 'complete'
}

/**
 * Collects incoming text and shows it once per frame, so that a fast stream does not render more often than the
 * screen.
 */
type TextBuffer = Readonly<{
  add: (delta: Readonly<{ text: string; reasoning: string }>) => void
  /** Shows the remainder at once. */
  end: () => void
}>

/** `show` is called with the whole text so far. */
function createTyping(show: (text: string, reasoning: string) => void): TextBuffer {
  let text = ''
  let reasoning = ''
  let frame = 0
  const draw = () => {
    frame = 0
    show(text, reasoning)
  }
  return {
    add(delta) {
      text += delta.text
      reasoning += delta.reasoning
      if (frame === 0) frame = requestAnimationFrame(draw)
    },
    end() {
      if (frame === 0) return
      cancelAnimationFrame(frame)
      draw()
    },
  }
}
