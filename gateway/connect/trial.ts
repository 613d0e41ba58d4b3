import { z } from 'zod'
import type { ConnectDialect, ConnectTarget } from '../../shared/connect/client.ts'
import type { ConnectTrial } from '../../shared/connect/connect-protocol.ts'
import type { Clock } from '../base/clock.ts'
import { parsed } from '../base/json/json.ts'
import type { SystemProxy } from '../base/network/http-client.ts'
import { createHttpClient } from '../base/network/http-client.ts'

const QUESTION = 'Reply with the word OK.'
/** Max time for the response: reasoning models are slow. */
const TIMEOUT_MS = 60_000
const MAX_MESSAGE_LENGTH = 300
const CONNECT_MS = 10_000
const MAX_BYTES = 1024 * 1024

type TrialRequest = Readonly<{ path: string; headers: Readonly<Record<string, string>>; body: object }>

/**
 * A short request in each dialect; with an output limit only if the dialect requires one, since the name of the limit
 * varies by model.
 */
const requests: Readonly<Record<ConnectDialect, (target: ConnectTarget) => TrialRequest>> = {
  chat: ({ key, model }) => ({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: { model, messages: [{ role: 'user', content: QUESTION }] },
  }),
  responses: ({ key, model }) => ({
    path: '/v1/responses',
    headers: { authorization: `Bearer ${key}` },
    body: { model, input: QUESTION, store: false },
  }),
  anthropic: ({ key, model }) => ({
    path: '/v1/messages',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: { model, max_tokens: 64, messages: [{ role: 'user', content: QUESTION }] },
  }),
  gemini: ({ key, model }) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: { 'x-goog-api-key': key },
    body: { contents: [{ role: 'user', parts: [{ text: QUESTION }] }] },
  }),
}

/** The error message has this position in every dialect. */
const refusal = z.object({ error: z.object({ message: z.string() }) })

/**
 * Sends the gateway one short request as a program would, with its key; it is charged like any other. Uses the proxy
 * that `systemProxy` returns. Never throws; returns the gateway's own error message, or that of the connection.
 */
export async function tryTarget(
  dialect: ConnectDialect,
  target: ConnectTarget,
  { clock, systemProxy }: Readonly<{ clock: Clock; systemProxy: SystemProxy }>,
): Promise<ConnectTrial> {
  const { path, headers, body } = requests[dialect](target)
  const startedMs = clock.monotonic()
  const http = createHttpClient(CONNECT_MS, systemProxy)
  try {
    const { status, text } = await http.fetchTrusted(target.address + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Switchyard' },
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    if (status === 200) return { ok: true, ms: Math.round(clock.monotonic() - startedMs) }
    const read = refusal.safeParse(parsed(text))
    const message = read.success ? read.data.error.message : text
    return { ok: false, status, message: message.slice(0, MAX_MESSAGE_LENGTH) }
  } catch (error) {
    // The cause of a failed fetch has the connection's error.
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { ok: false, status: 0, message: reason instanceof Error ? reason.message : String(reason) }
  } finally {
    await http.close()
  }
}
