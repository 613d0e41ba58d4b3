import type { TestKind } from '../../../shared/api/channel-runs.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'

/** What a test asks a vendor for. */
export type ProbeEndpoint = Exclude<TestKind, 'none'>

/** One request that only finds out whether a channel answers (docs/reference/channels.md#tests). */
export type ProbeAsk = Readonly<{
  endpoint: ProbeEndpoint
  /** The upstream's name of the model, mapping applied. */
  model: string
  /** The channel's name of it, where there is another: a deployment's own says little of the model. */
  requestedModel?: string
  body: Record<string, unknown>
  timeoutMs: number
  /** The body asks for server-sent events; `text` of the answer is then the whole stream. */
  isStream?: boolean
}>

/**
 * What the upstream said, in the dialect of the endpoint. `json` is undefined when the text is not JSON; `ms` runs from
 * sending to the whole answer.
 */
export type ProbeAnswer = Readonly<{
  status: number
  json: unknown
  text: string
  ms: number
  usage?: { promptTokens: number; completionTokens: number }
}>

/**
 * Sends one request over a channel, outside billing and retry. Throws a refusal `channel.test_unsupported` for a wire it
 * cannot speak, one of kind `timeout` when the time was over, one with code `convert_request_failed` for what the vendor
 * cannot be told, and whatever the network threw when no answer came.
 */
export type Probe = (channel: ActiveChannel, ask: ProbeAsk) => Promise<ProbeAnswer>

/** The exact address of a chat call over a channel; undefined for a wire the relay does not speak. */
export type ChatAddress = (channel: ActiveChannel, model: string) => string | undefined
