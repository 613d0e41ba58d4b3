import i18next from 'i18next'
import * as z from 'zod/mini'
import { parsed } from '../../../shared/json.ts'
import { noteAnswer } from '../../api/connection.ts'
import { readEvents } from '../../api/events.ts'
import { currentUserId, signIns } from '../../api/session.ts'
import { isSignedInAgain } from '../../api/sign-in-again.ts'
import type { Sent, Spent } from './conversation.ts'
import {
  brokenOff,
  type ErrorBody,
  errorBody,
  failureOf,
  isSessionEnd,
  type PlayFailure,
  unreachable,
} from './play-failure.ts'
import { requestBody } from './request-body.ts'
import type { PlaySettings } from './settings.ts'

export type Listener = Readonly<{
  onRequestId: (id: string) => void
  onDelta: (delta: Readonly<{ text: string; reasoning: string }>) => void
  onUsage: (usage: Spent) => void
}>

/**
 * Calls the playground's endpoint and reads the stream to its end (docs/reference/screens.md#playground). Returns the
 * failure; undefined on success, or if the signal was aborted. Repeats the call only after an expired session was
 * renewed. Rethrows errors of the listener.
 */
export async function complete(
  messages: readonly Sent[],
  settings: PlaySettings,
  listener: Listener,
  signal: AbortSignal,
): Promise<PlayFailure | undefined> {
  const since = signIns()
  try {
    const response = await fromNetwork(post(messages, settings, signal))
    listener.onRequestId(response.headers.get('x-request-id') ?? '')
    if (!response.ok) {
      const { status } = response
      const refusal = errorIn(await fromNetwork(response.text()))
      // A call without a session had no effect, so it may be repeated.
      if (isSessionEnd(status, refusal) && (await isSignedInAgain(since, true)))
        return await complete(messages, settings, listener, signal)
      return failureOf(status, refusal, hasFiles(messages))
    }
    if (response.headers.get('content-type')?.includes('json'))
      return readWhole(await fromNetwork(response.text()), listener)
    return await streamed(response, listener)
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error
    if (signal.aborted) return undefined
    noteAnswer(undefined)
    return unreachable()
  }
}

/** The connection failed or was lost; any other error here is a bug of the console. */
class ConnectionLost extends Error {}

const lost = (cause: unknown): never => {
  throw new ConnectionLost('the connection was lost', { cause })
}

const fromNetwork = <T>(answer: Promise<T>): Promise<T> => answer.catch(lost)

async function* eventsOf(response: Response): AsyncGenerator<string> {
  try {
    yield* readEvents(response)
  } catch (error) {
    lost(error)
  }
}

function post(messages: readonly Sent[], settings: PlaySettings, signal: AbortSignal): Promise<Response> {
  return fetch('/pg/chat/completions', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'New-Api-User': String(currentUserId()),
      'Accept-Language': i18next.language,
    },
    body: JSON.stringify({ ...requestBody(messages, settings), group: settings.group }),
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  })
}

const hasFiles = (messages: readonly Sent[]): boolean => messages.some(({ content }) => typeof content !== 'string')

const errorIn = (body: string): ErrorBody =>
  errorBody.safeParse(parsed(body)).data ?? { error: { message: '', type: '', code: '' } }

const delta = z.object({
  content: z.catch(z.nullish(z.string()), ''),
  reasoning_content: z.catch(z.nullish(z.string()), ''),
  reasoning: z.catch(z.nullish(z.string()), ''),
})

/** A stream event or a whole response: both are parsed for the fields they have. */
const chunk = z.object({
  choices: z.catch(
    z.array(z.object({ delta: z.optional(delta), message: z.optional(delta), finish_reason: z.nullish(z.string()) })),
    [],
  ),
  usage: z.catch(z.nullish(z.object({ prompt_tokens: z.number(), completion_tokens: z.catch(z.number(), 0) })), null),
})

/** Reads events until `[DONE]`; an error event ends the stream. */
async function streamed(response: Response, listener: Listener): Promise<PlayFailure | undefined> {
  let isFinished = false
  for await (const payload of eventsOf(response)) {
    if (payload === '[DONE]') return undefined
    const json = parsed(payload)
    const error = errorBody.safeParse(json).data
    if (error) return failureOf(0, error)
    if (report(json, listener)) isFinished = true
  }
  return isFinished ? undefined : brokenOff()
}

/** Reads a complete response of an upstream that does not stream; returns the failure, if any. */
function readWhole(body: string, listener: Listener): PlayFailure | undefined {
  return report(parsed(body), listener) ? undefined : brokenOff()
}

/** Passes an event's content to the listener; returns whether it ends the answer. */
function report(json: unknown, listener: Listener): boolean {
  const event = chunk.safeParse(json).data
  if (!event) return false
  const [choice] = event.choices
  const part = choice?.delta ?? choice?.message
  const text = part?.content ?? ''
  const reasoning = part?.reasoning_content ?? part?.reasoning ?? ''
  if (text || reasoning) listener.onDelta({ text, reasoning })
  const { usage } = event
  if (usage) listener.onUsage({ prompt: usage.prompt_tokens, completion: usage.completion_tokens })
  return Boolean(choice?.finish_reason)
}
