import type { Form } from '../../base/bytes/form.ts'
import type { JsonObject } from '../../base/json/json.ts'
import type { JsonSpans } from '../../base/json/json-spans.ts'
import type { Format } from '../formats/format.ts'
import type { RelayRoute, RequestedEndpoint } from './endpoint.ts'

/** A parsed request: its bytes and what the gateway needs to know about them. */
export type Call = Readonly<{
  route: RelayRoute
  endpoint: RequestedEndpoint
  format: Format
  /** The JSON, unchanged until the gateway adds or removes something; for a form, its texts as JSON. */
  bytes: Buffer
  json: Readonly<JsonObject>
  spans: JsonSpans
  /** The body if it is a form; its texts are also in `json`. */
  form: Form | null
  model: string
  stream: boolean
  /** The caller requested the usage event of a stream. */
  wantsUsage: boolean
  /** Maximum output over all choices or images, in tokens; 0 if the request does not limit it. */
  maxOutput: number
  /** Tokens of the input if known before the call: characters to speak, minutes of a recording, images to edit. */
  input: number | null
  /** The group chosen in the playground; empty elsewhere. */
  group: string
  /** Tokens of output per choice that the account can pay for, if less than the call may have. */
  outputLimit?: number
  /** The response that this one continues; its conversation was prepended to the input. */
  previousId?: string
  /** The ids of that conversation's responses, the first one first, and the new items. */
  continued?: Readonly<{ before: readonly string[]; items: readonly JsonObject[] }>
  /** The stored conversation that was prepended to the input, and the new items. */
  conversation?: Readonly<{ id: string; items: readonly JsonObject[] }>
}>

/** A parsed body; a form's texts as JSON. */
export type Body = Pick<Call, 'bytes' | 'json' | 'spans' | 'form'>
