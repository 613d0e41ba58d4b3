import type { TestKind } from '../../../shared/api/channel-runs.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'

export type ProbeEndpoint = Exclude<TestKind, 'none'>

/** A request that only tests whether a channel responds (docs/reference/channels.md#tests). */
export type ProbeCall = Readonly<{
  endpoint: ProbeEndpoint
  /** The upstream's name for the model, with the mapping applied. */
  model: string
  /** The channel's name for the model, if different: the name of a deployment does not identify its model. */
  requestedModel?: string
  body: Record<string, unknown>
  timeoutMs: number
  /** The body requests server-sent events; `text` of the response is then the whole stream. */
  isStream?: boolean
}>

/**
 * The upstream's response, in the dialect of the endpoint. `json` is undefined if the text is not JSON; `ms` is the
 * time from sending to the complete response.
 */
export type ProbeAnswer = Readonly<{
  status: number
  json: unknown
  text: string
  ms: number
  usage?: { promptTokens: number; completionTokens: number }
}>

/**
 * Sends one request over a channel, without billing or retries. Throws `channel.test_unsupported` for an unsupported
 * protocol, `timeout` on a timeout, `convert_request_failed` if the request cannot be expressed for the vendor, and
 * network errors if there is no response.
 */
export type Probe = (channel: ActiveChannel, probeCall: ProbeCall) => Promise<ProbeAnswer>

/** The exact URL of a chat call over a channel; undefined for a protocol the relay does not support. */
export type ChatAddress = (channel: ActiveChannel, model: string) => string | undefined
