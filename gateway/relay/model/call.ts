import type { Form } from '../../base/bytes/form.ts'
import type { JsonObject } from '../../base/json/json.ts'
import type { JsonSpans } from '../../base/json/json-spans.ts'
import type { Format } from '../formats/format.ts'
import type { AskedEndpoint, RelayRoute } from './endpoint.ts'

/** What a caller asks for, understood once: the bytes as they came and what the gateway needs to know of them. */
export type Call = Readonly<{
  route: RelayRoute
  endpoint: AskedEndpoint
  /** The dialect of the caller. */
  format: Format
  /** The JSON as it came; of a form its texts as JSON. */
  bytes: Buffer
  json: Readonly<JsonObject>
  spans: JsonSpans
  /** The body where it came as a form; its texts are in `json` as well. */
  form: Form | null
  model: string
  stream: boolean
  /** The caller asked for the usage event of a stream. */
  wantsUsage: boolean
  /** The most output the caller allows, over all its choices, in tokens; 0 when it set no limit. */
  maxOutput: number
  /** Tokens of the input where they are known before the call: characters to speak, minutes of a recording. */
  input: number | null
  /** The group the playground asks for; empty elsewhere. */
  group: string
  /** The most output of one choice that its account can pay for, where that is less than the call may have. */
  outputLimit?: number
  /** The response this one continues, whose conversation has been put in front of the input. */
  previousId?: string
  /** The ids of that conversation's responses from the first on, and the items that were said now. */
  continued?: Readonly<{ before: readonly string[]; items: readonly JsonObject[] }>
  /** The conversation that is kept here and was put in front of the input, and the items that were said now. */
  conversation?: Readonly<{ id: string; items: readonly JsonObject[] }>
}>

/** A body as it was read; a form's texts as JSON. */
export type Body = Pick<Call, 'bytes' | 'json' | 'spans' | 'form'>
