import { refuse } from '../base/errors.ts'
import type { ChatAddress, Probe } from '../channels/probe.ts'
import { exchange, type UpstreamReply } from './exchange.ts'
import { errorText, gatherAnswer } from './gather.ts'
import { Waiting } from './patience.ts'
import type { Pools } from './pools.ts'
import { providerFor } from './providers/index.ts'
import { usageIn } from './usage-tap.ts'

/** Asks a channel for its own sake: the request an administrator's test sends, outside selection, retry and billing. */
export function createProbe(pools: Pools, userAgent: string): Probe {
  return async (channel, { endpoint, model, body, timeoutMs, isStream = false }) => {
    const provider = providerFor(channel.typeName)
    const target = { channel, model, endpoint }
    const url = URL.parse(provider?.paths[endpoint]?.(target) ?? '')
    if (!provider || !url) throw refuse('invalid', 'channel.test_unsupported')
    const started = performance.now()
    const headers = {
      'content-type': 'application/json',
      accept: isStream ? 'text/event-stream' : 'application/json',
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...provider.headers(target),
    }
    const options = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers,
      body: JSON.stringify({ ...body, model }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    } as const
    const waiting = new Waiting()
    const timer = setTimeout(() => waiting.end(), timeoutMs)
    const pool = pools.for(url.origin, channel.setting.proxy)
    const { status, text } = await exchange(pool, options, waiting)
      .then(readText)
      .catch((cause: unknown) => {
        throw waiting.over ? refuse('timeout', 'relay.upstreamTimeout', {}, { cause }) : cause
      })
      .finally(() => clearTimeout(timer))
    const json = parsed(text)
    const usage = usageIn(typeof json === 'object' && json !== null && 'usage' in json ? json.usage : undefined)
    return {
      status,
      json,
      text,
      ms: Math.round(performance.now() - started),
      ...(usage ? { usage: { promptTokens: usage.prompt, completionTokens: usage.completion } } : {}),
    }
  }
}

/** Where a chat call over the channel would go, as the relay itself would send it. */
export const chatAddress: ChatAddress = (channel, model) =>
  providerFor(channel.typeName)?.paths.chat?.({ channel, model, endpoint: 'chat' })

async function readText(reply: UpstreamReply): Promise<{ status: number; text: string }> {
  const { status } = reply
  const good = status >= 200 && status <= 299
  return { status, text: good ? (await gatherAnswer(reply)).toString('utf8') : await errorText(reply) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
