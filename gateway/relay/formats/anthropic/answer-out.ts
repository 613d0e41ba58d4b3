import { textIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import { argumentsOut } from '../call-arguments.ts'
import type { AnswerFrame, Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { type BlockEvent, createBlockWriter } from './block-events.ts'
import { blockEvents, lastBlockEvents } from './block-writer.ts'
import { reasonOut } from './stop-reasons.ts'
import { usageOut } from './usage.ts'

export function encodeAnswer(events: readonly AnswerEvent[], frame: AnswerFrame, usage: Usage): Json {
  const writer = createBlockWriter(frame.id)
  const written = events.flatMap((event) => blockEvents(writer, event))
  const content = joined([...written, ...lastBlockEvents(writer)])
  const finish = events.findLast((event) => event.type === 'finish' && event.choice === 0)
  return {
    ...headOf(frame),
    content,
    ...ending(finish, writer.calls.size > 0),
    ...writer.asides,
    usage: usageOut(usage),
  }
}

export const headOf = ({ id, model }: AnswerFrame): Json => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
})

export function ending(finish: AnswerEvent | undefined, callsTools: boolean): Json {
  const end = finish?.type === 'finish' ? finish : undefined
  return { stop_reason: reasonOut(end?.reason, callsTools), stop_sequence: end?.stopSequence ?? null }
}

function joined(events: readonly BlockEvent[]): readonly Json[] {
  const blocks: Record<string, unknown>[] = []
  const inputs: string[] = []
  for (const event of events) {
    if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block }
    const block = blocks[event.index]
    if (!block || event.type === 'content_block_start') continue
    if (event.type === 'content_block_delta') {
      if (event.delta.type === 'input_json_delta')
        inputs[event.index] = (inputs[event.index] ?? '') + (textIn(event.delta.partial_json) ?? '')
      else apply(block, event.delta)
    } else if (inputs[event.index] !== undefined) block.input = argumentsOut(inputs[event.index] ?? '')
  }
  return blocks
}

function apply(block: Record<string, unknown>, delta: Json): void {
  if (delta.type === 'text_delta') block.text = `${block.text}${delta.text}`
  if (delta.type === 'thinking_delta') block.thinking = `${block.thinking}${delta.thinking}`
  if (delta.type === 'signature_delta') block.signature = delta.signature
  if (delta.type !== 'citations_delta') return
  if (Array.isArray(block.citations)) block.citations.push(delta.citation)
  else block.citations = [delta.citation]
}
