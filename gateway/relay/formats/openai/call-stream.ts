import type { AnswerFrame, Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { ownCallId } from './call-id.ts'
import { callOut, type WholeCall } from './custom-call.ts'
import { callSignatureOut } from './thought-signature.ts'

type ToolEvent = Extract<AnswerEvent, { type: 'tool' }>
type OpenCall = { readonly custom: boolean; hasArguments: boolean }

/**
 * Writes the tool calls of one choice as items of a delta's `tool_calls`. A custom tool's call that the upstream made
 * as a function call is buffered to its end, since its text is only known then.
 */
export class CallStream {
  private readonly choice: number
  private readonly frame: AnswerFrame
  private readonly open = new Map<number, OpenCall>()
  private readonly pending = new Map<number, WholeCall>()
  hasCalls = false

  constructor(choice: number, frame: AnswerFrame) {
    this.choice = choice
    this.frame = frame
  }

  add(event: ToolEvent): readonly Json[] {
    this.hasCalls = true
    const { call, json = '' } = event
    const pending = this.pending.get(call)
    if (pending) {
      this.pending.set(call, { ...pending, json: pending.json + json, signature: event.signature ?? pending.signature })
      return []
    }
    const open = this.open.get(call)
    if (!open) return this.begin(event)
    if (json) open.hasArguments = true
    const more = open.custom ? { custom: { input: json } } : { function: { arguments: json } }
    if (!json && !event.signature) return []
    return [{ index: call, ...(json ? more : {}), ...callSignatureOut(event.signature) }]
  }

  /** Writes the buffered calls, and an empty object for calls without arguments, which clients parse. */
  end(): readonly Json[] {
    const items: Json[] = []
    for (const [index, open] of this.open)
      if (!open.custom && !open.hasArguments) items.push({ index, function: { arguments: '{}' } })
    for (const [index, call] of this.pending) items.push({ index, ...callOut(call) })
    this.open.clear()
    this.pending.clear()
    return items
  }

  private begin(event: ToolEvent): readonly Json[] {
    const { call, name = '', json = '', signature } = event
    const id = event.id ?? ownCallId(this.frame.id, this.choice, call)
    const custom = event.custom ?? false
    if (!custom && event.shape === 'custom') {
      this.pending.set(call, { id, name, json, custom, shape: event.shape, signature })
      return []
    }
    this.open.set(call, { custom, hasArguments: json !== '' })
    const payload = custom ? { custom: { name, input: json } } : { function: { name, arguments: json } }
    return [{ index: call, id, type: custom ? 'custom' : 'function', ...payload, ...callSignatureOut(signature) }]
  }
}
