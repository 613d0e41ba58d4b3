import type { AnswerEvent } from '../events.ts'
import {
  type BlockEvent,
  type BlockWriter,
  closed,
  contentEvents,
  type Open,
  type WaitingEvents,
} from './block-events.ts'

/**
 * Returns the block events that an event adds; none for other choices and for events without content. While a call's
 * arguments are incomplete, all else waits (docs/reference/conversion.md#streams-for-anthropics-clients).
 */
export function blockEvents(writer: BlockWriter, event: AnswerEvent): readonly BlockEvent[] {
  if (!('choice' in event) || event.choice !== 0 || event.type === 'finish') return []
  if (mustWait(writer.open, event)) {
    wait(writer.pending, event)
    return []
  }
  const written = contentEvents(writer, event)
  if (writer.pending.groups.length === 0 || !isWhole(writer.open)) return written
  return [...written, ...replayed(writer)]
}

export function lastBlockEvents(writer: BlockWriter): readonly BlockEvent[] {
  const written = [...closed(writer)]
  while (writer.pending.groups.length > 0) {
    for (const event of replayed(writer)) written.push(event)
    for (const event of closed(writer)) written.push(event)
  }
  return written
}

/**
 * Pieces of one call wait as a group, so that each call is written as one block, however many calls are interleaved.
 */
function wait({ groups, calls }: WaitingEvents, event: AnswerEvent): void {
  const call = event.type === 'tool' ? event.call : undefined
  const known = call === undefined ? undefined : calls.get(call)
  if (known) {
    known.push(event)
    return
  }
  const group = [event]
  groups.push(group)
  if (call !== undefined) calls.set(call, group)
}

function replayed(writer: BlockWriter): readonly BlockEvent[] {
  const { pending } = writer
  const written: BlockEvent[] = []
  do {
    const group = pending.groups[pending.next++] ?? []
    for (const event of group) {
      if (event.type === 'tool') pending.calls.delete(event.call)
      for (const one of contentEvents(writer, event)) written.push(one)
    }
  } while (pending.next < pending.groups.length && isWhole(writer.open))
  if (pending.next >= pending.groups.length) {
    pending.groups = []
    pending.next = 0
  }
  return written
}

function mustWait(open: Open | undefined, event: AnswerEvent): boolean {
  if (open?.kind !== 'tool' || (event.type === 'tool' && event.call === open.call)) return false
  return !isWhole(open)
}

function isWhole(open: Open | undefined): boolean {
  return open?.kind !== 'tool' || open.custom || open.arguments.isWhole()
}
