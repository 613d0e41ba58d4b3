import { isObject, parsed } from '../../../base/json.ts'
import type { AnswerEvent } from '../events.ts'
import { type BlockEvent, type BlockWriter, closed, contentEvents, type Open } from './block-events.ts'

/**
 * What an event adds to the blocks; events of other choices and those that are not about content add nothing. While a
 * call is open and its arguments are not whole, what does not belong to it waits
 * (docs/reference/conversion.md#streams-for-anthropics-clients).
 */
export function blockEvents(writer: BlockWriter, event: AnswerEvent): readonly BlockEvent[] {
  if (!('choice' in event) || event.choice !== 0 || event.type === 'finish') return []
  if (mustWait(writer.open, event)) {
    writer.pending.push(event)
    return []
  }
  const said = contentEvents(writer, event)
  if (writer.pending.length === 0 || !isWhole(writer.open)) return said
  return [...said, ...replayed(writer)]
}

/** Ends the last block, after those that had to wait. */
export function lastBlockEvents(writer: BlockWriter): readonly BlockEvent[] {
  const said = [...closed(writer)]
  while (writer.pending.length > 0) said.push(...replayed(writer), ...closed(writer))
  return said
}

function replayed(writer: BlockWriter): readonly BlockEvent[] {
  const waiting = writer.pending
  writer.pending = []
  return waiting.flatMap((event) => blockEvents(writer, event))
}

function mustWait(open: Open | undefined, event: AnswerEvent): boolean {
  if (open?.kind !== 'tool' || (event.type === 'tool' && event.call === open.call)) return false
  return !isWhole(open)
}

/** Whether nothing more is to come of a block: of a call, that its arguments are a whole JSON object. */
function isWhole(open: Open | undefined): boolean {
  if (open?.kind !== 'tool' || open.custom) return true
  open.whole ??= open.json.trimEnd().endsWith('}') && isObject(parsed(open.json))
  return open.whole
}
