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
 * What an event adds to the blocks; events of other choices and those that are not about content add nothing. While a
 * call is open and its arguments are not whole, what does not belong to it waits
 * (docs/reference/conversion.md#streams-for-anthropics-clients).
 */
export function blockEvents(writer: BlockWriter, event: AnswerEvent): readonly BlockEvent[] {
  if (!('choice' in event) || event.choice !== 0 || event.type === 'finish') return []
  if (mustWait(writer.open, event)) {
    wait(writer.pending, event)
    return []
  }
  const said = contentEvents(writer, event)
  if (writer.pending.groups.length === 0 || !isWhole(writer.open)) return said
  return [...said, ...replayed(writer)]
}

/** Ends the last block, after those that had to wait. */
export function lastBlockEvents(writer: BlockWriter): readonly BlockEvent[] {
  const said = [...closed(writer)]
  while (writer.pending.groups.length > 0) {
    for (const event of replayed(writer)) said.push(event)
    for (const event of closed(writer)) said.push(event)
  }
  return said
}

/** Pieces of one call wait together, so that each is told once, however many calls come at the same time. */
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

/** What has waited, up to a call whose arguments are not whole either. */
function replayed(writer: BlockWriter): readonly BlockEvent[] {
  const { pending } = writer
  const said: BlockEvent[] = []
  do {
    const group = pending.groups[pending.next++] ?? []
    for (const event of group) {
      if (event.type === 'tool') pending.calls.delete(event.call)
      for (const one of contentEvents(writer, event)) said.push(one)
    }
  } while (pending.next < pending.groups.length && isWhole(writer.open))
  if (pending.next >= pending.groups.length) {
    pending.groups = []
    pending.next = 0
  }
  return said
}

function mustWait(open: Open | undefined, event: AnswerEvent): boolean {
  if (open?.kind !== 'tool' || (event.type === 'tool' && event.call === open.call)) return false
  return !isWhole(open)
}

/** Whether nothing more is to come of a block: of a call, that its arguments are a whole JSON object. */
function isWhole(open: Open | undefined): boolean {
  return open?.kind !== 'tool' || open.custom || open.arguments.isWhole()
}
