import { textIn } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import { audioInputTokens } from '../../tokenizer/audio.ts'
import { append, appendText, emptyPending, isNothing, lengthOf, MAX_KEPT, type Pending } from './pending.ts'

/** Upper estimate of one model's input and output so far, in tokens; the session's own model if undefined. */
export type Transcribing = Readonly<{ model: string | undefined; heard: number; output: number }>

/** An active transcription: its model, seconds of audio, and output. */
export type Transcript = { readonly model: string | undefined; seconds: number; output: Pending }

/** The active transcriptions of a session, by item (docs/reference/billing.md#audio). */
interface Transcripts {
  commit(item: unknown, model: string | undefined, seconds: number): void
  write(item: unknown, model: string | undefined, text: string): void
  /** Removes and returns an item's transcription; returns an empty one of `model` if it has not begun. */
  take(item: unknown, model: string | undefined): Transcript
  /** Removes all, and returns their sums by model; `written` omits those without output. */
  takeAll(written: boolean): readonly Transcript[]
  underWay(): readonly Transcribing[]
}

export function createTranscripts(): Transcripts {
  const open = new UntrustedMap<string, Transcript>()
  const totals = new Map<string | undefined, { seconds: number; characters: number }>()
  /** Characters that all active transcriptions store to be counted exactly. */
  let stored = 0
  const count = ({ model }: Transcript, seconds: number, characters: number) => {
    const total = totals.get(model) ?? { seconds: 0, characters: 0 }
    totals.set(model, { seconds: total.seconds + seconds, characters: total.characters + characters })
  }
  const begin = (model: string | undefined): Transcript => ({ model, seconds: 0, output: emptyPending() })
  const of = (item: unknown, model: string | undefined): Transcript => {
    const known = open.get(keyOf(item))
    if (known) return known
    const key = open.size < MAX_OPEN ? keyOf(item) : OTHERS
    const transcript = open.get(key) ?? begin(model)
    open.set(key, transcript)
    return transcript
  }
  return {
    commit(item, model, seconds) {
      const transcript = of(item, model)
      transcript.seconds += seconds
      count(transcript, seconds, 0)
    },
    write(item, model, text) {
      const transcript = of(item, model)
      const before = transcript.output.text.length
      appendText(transcript.output, text, before + MAX_KEPT - stored)
      stored += transcript.output.text.length - before
      count(transcript, 0, text.length)
    },
    take(item, model) {
      const transcript = open.get(keyOf(item))
      if (!transcript) return begin(model)
      open.delete(keyOf(item))
      stored -= transcript.output.text.length
      if (open.size === 0) totals.clear()
      else count(transcript, -transcript.seconds, -lengthOf(transcript.output))
      return transcript
    },
    takeAll(written) {
      const sums = new Map<string | undefined, Transcript>()
      for (const { model, seconds, output } of open.values()) {
        if (written && isNothing(output)) continue
        const sum = sums.get(model) ?? begin(model)
        sum.seconds += seconds
        append(sum.output, output)
        sums.set(model, sum)
      }
      open.clear()
      totals.clear()
      stored = 0
      return [...sums.values()]
    },
    underWay: () => (open.size === 0 ? NONE : [...totals].map(transcribing)),
  }
}

const NONE: readonly Transcribing[] = []
const CHARACTERS_PER_TOKEN = 3

/** Max characters of an id: an upstream's may have any length, and many are stored. */
const MAX_ID = 256
/** Max active transcriptions; further ones, and those without an id, share one entry. */
const MAX_OPEN = 1000
const OTHERS = ''

/** The upstream's id of a response or an item; undefined if there is none or it is too long. */
export function idIn(value: unknown): string | undefined {
  const id = textIn(value)
  return id === undefined || id.length > MAX_ID ? undefined : id
}

const keyOf = (item: unknown): string => idIn(item) ?? OTHERS

function transcribing([model, { seconds, characters }]: readonly [
  string | undefined,
  Readonly<{ seconds: number; characters: number }>,
]): Transcribing {
  // Sums of fractions may end slightly below zero.
  return { model, heard: audioInputTokens(Math.max(seconds, 0)), output: Math.ceil(characters / CHARACTERS_PER_TOKEN) }
}
