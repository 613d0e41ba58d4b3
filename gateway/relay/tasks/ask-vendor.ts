import { isObject, type JsonObject, parsed } from '../../base/json/json.ts'
import { writeJson } from '../../base/json/json-write.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { CancellationSource } from '../model/cancellation.ts'
import { providerFor } from '../providers/index.ts'
import type { Target } from '../providers/provider.ts'
import { errorText, gatherJson, transportError } from '../upstream/gather.ts'
import { withoutKnownIn } from '../upstream/redaction.ts'
import type { SendDeps } from '../upstream/send.ts'
import { callUpstream } from '../upstream/upstream-call.ts'
import { readError, UpstreamError } from '../upstream/upstream-error.ts'

type VendorRequest = Readonly<{
  channel: ActiveChannel
  endpoint: 'drawing' | 'task'
  method: 'GET' | 'POST'
  path: string
  body?: JsonObject
  /**
   * Max milliseconds until the headers arrive, and for each silence within the body; the whole response may take twice
   * as long.
   */
  waitMs: number
  /** Max length of the response, in MiB; default 1. */
  maxMib?: number
  signal?: AbortSignal
}>

/**
 * Sends one request to a task vendor over the channel's connections and proxy; returns the response, any JSON value.
 * Continues if the caller leaves: a task that the vendor has begun is charged and stored. Throws `UpstreamError` if the
 * request fails, or if the response is an error or not JSON.
 */
export async function queryVendor(deps: VendorQueryDeps, question: VendorRequest): Promise<unknown> {
  const { channel, endpoint, method, path: below, body, waitMs } = question
  const { geminiVersion, claudeHeaders, accessTokens } = deps
  const settings = { geminiVersion, claudeHeaders, accessTokens }
  const target: Target = { channel, model: '', endpoint, stream: false, clientHeaders: {}, query: '', ...settings }
  const provider = providerFor(channel.typeName)
  const base = provider?.paths[endpoint]?.(target)
  const url = base ? deps.pools.urlParts(base + below) : null
  if (!provider || !url) throw new UpstreamError(502, 'the address of the channel is not valid', { transport: true })
  const bytes = body ? await writeJson(body, true) : null
  const headers = {
    ...(bytes ? { 'content-type': 'application/json' } : {}),
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': deps.userAgent,
    ...provider.headers(target),
  }
  const { origin, path } = url
  const options = { origin, path, method, headers, body: bytes, headersTimeout: waitMs, bodyTimeout: waitMs } as const
  const pool = await deps.pools.for(origin, channel.setting.proxy)
  const waiting = new CancellationSource()
  const json = await wholeWithin(question, waiting, async () => {
    const reply = await callUpstream(pool, options, waiting).catch((cause: unknown) => {
      throw transportError(cause)
    })
    if (reply.status < 200 || reply.status > 299)
      throw refusalIn(channel.statusMapping.get(reply.status) ?? reply.status, await errorText(reply), reply.status)
    return gatherJson(reply, question.maxMib)
  })
  if (json === undefined) throw new UpstreamError(502, 'the upstream sent a response that is not JSON')
  return json
}

/** Limits the total time, since a vendor that sends a byte now and then would never end. */
async function wholeWithin<T>(
  { waitMs, signal }: VendorRequest,
  waiting: CancellationSource,
  work: () => Promise<T>,
): Promise<T> {
  const end = () => waiting.end()
  const timer = setTimeout(end, 2 * waitMs)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    return await work()
  } catch (cause) {
    throw waiting.ended ? new UpstreamError(504, 'the upstream did not respond in time', { cause }) : cause
  } finally {
    end()
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** Midjourney proxies describe errors in `description`, with a number for the kind. */
function refusalIn(status: number, text: string, vendorStatus: number): UpstreamError {
  const json = parsed(text)
  if (!isObject(json) || typeof json.description !== 'string') return readError(status, text, undefined, vendorStatus)
  const body = { message: json.description, code: json.code }
  return new UpstreamError(status, json.description, { body, vendorStatus })
}

export function withoutChannel(json: JsonObject, channel: ActiveChannel): JsonObject {
  const clean = withoutKnownIn(json, channel)
  return isObject(clean) ? clean : {}
}

export type VendorQueryDeps = Pick<SendDeps, 'pools' | 'userAgent' | 'geminiVersion' | 'claudeHeaders' | 'accessTokens'>
