import { type JsonObject, textIn } from '../../../base/json/json.ts'
import { type Usage, usageOf } from '../../../billing/usage.ts'
import { messageIn } from '../../formats/gemini/message.ts'
import type { Pending } from '../realtime/pending.ts'
import { roughly } from './live-usage.ts'

export type ContinuedSession = Readonly<{
  /** The last known prompt of the session that this one continues; undefined if it is not known. */
  resumed: Usage | undefined
  /** Called with a handle by which a later session can resume this one, and the prompt that it continues. */
  remember: (handle: string, context: Usage) => void
}>

/** The input that an upstream reads again for each step of a Live session: the last known prompt. */
interface SessionContext {
  report(usage: Usage): void
  /** Records the handle of an upstream's message; returns whether it has one. */
  noteHandle(message: JsonObject): boolean
  /** Remembers the context under the session's handle, plus the `unread` parts that no figures include yet. */
  remember(...unread: readonly Pending[]): void
  known(): Usage
  /**
   * The known context, or the largest one if it is unknown: even if the upstream ended the session, since its caller
   * may have provoked that.
   */
  atEnd(): Usage
}

export function createSessionContext({ resumed, remember }: ContinuedSession): SessionContext {
  let context = resumed
  let handle: string | undefined
  const known = () => context ?? usageOf({})
  return {
    report({ prompt, cacheRead, audioInput, imageInput }) {
      context = usageOf({ prompt, cacheRead, audioInput, imageInput })
    },
    noteHandle({ sessionResumptionUpdate }) {
      const given = textIn(messageIn(sessionResumptionUpdate).newHandle) || undefined
      handle = given ?? handle
      return given !== undefined
    },
    remember(...unread) {
      if (handle === undefined || !context) return
      const prompt = unread.reduce((tokens, more) => tokens + roughly(more), context.prompt)
      remember(handle, { ...context, prompt })
    },
    known,
    atEnd: () => context ?? usageOf({ prompt: MAX_CONTEXT }),
  }
}

/** Tokens of the largest context of a Live model (Gemini API, "Live API capabilities guide"). */
const MAX_CONTEXT = 131_072
