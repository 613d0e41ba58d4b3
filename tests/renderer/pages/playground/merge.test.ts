import { describe, expect, it } from 'vitest'
import { type Entry, type Message, textMessage } from '../../../../renderer/pages/playground/conversation.ts'
import { merged } from '../../../../renderer/pages/playground/conversations/merge.ts'
import type { StoredConversation } from '../../../../renderer/pages/playground/conversations/stored-conversation.ts'

const message = (id: number, text = `message ${id}`): Message => textMessage(id, 'user', text)
const [one, two, three] = [message(1), message(2), message(3)]
const conversation = (...lanes: Entry[][]): StoredConversation => ({
  id: 'a',
  title: '',
  changedAt: 1,
  revision: 'first',
  chosen: {},
  lanes,
})
const base = conversation([one, two, three])
const idsOf = ({ lanes }: StoredConversation) => lanes.map((lane) => lane.map(({ id }) => id))
/** As another window reads it: the same values in other objects. */
const theirs = (...lanes: Entry[][]): StoredConversation => ({
  ...structuredClone(conversation(...lanes)),
  revision: 'theirs',
})

describe('one conversation in two windows (docs/reference/screens.md#playground)', () => {
  it('keeps the messages of both, in the order of time', () => {
    const all = merged({
      base,
      ours: conversation([one, two, three, message(5), message(6)]),
      theirs: theirs([one, two, three, message(4), message(7)]),
    })
    expect(idsOf(all)).toEqual([[1, 2, 3, 4, 5, 6, 7]])
    expect(all.revision).toBe('theirs')
  })

  it('removes messages that were removed in either, unless they were changed here', () => {
    expect(idsOf(merged({ base, ours: conversation([one, three]), theirs: theirs([one, two]) }))).toEqual([[1]])
    const ours = conversation([one, two, message(3, 'said again')])
    expect(idsOf(merged({ base, ours, theirs: theirs([one, two]) }))).toEqual([[1, 2, 3]])
  })

  it('prefers the message that was changed: here, else there', () => {
    const all = merged({
      base,
      ours: conversation([one, message(2, 'ours'), three]),
      theirs: theirs([one, message(2, 'theirs'), message(3, 'theirs')]),
    })
    expect(all.lanes[0]?.map((entry) => entry.kind === 'message' && entry.text)).toEqual([
      'message 1',
      'ours',
      'theirs',
    ])
  })

  it('keeps a lane that is new in one of them, and one that was closed while something new was written in it', () => {
    const begun = merged({
      base,
      ours: conversation([one, two, three], [one, message(4)]),
      theirs: theirs([one, two, three, message(5)]),
    })
    expect(idsOf(begun)).toEqual([
      [1, 2, 3, 5],
      [1, 4],
    ])
    const compared = conversation([one], [one, two])
    expect(idsOf(merged({ base: compared, ours: conversation([one]), theirs: theirs([one], [one, two]) }))).toEqual([
      [1],
    ])
    const goesOn = merged({ base: compared, ours: conversation([one]), theirs: theirs([one], [one, two, message(9)]) })
    expect(idsOf(goesOn)).toEqual([[1], [1, 2, 9]])
  })

  it('takes a new name and other settings from where they were changed', () => {
    const ours = { ...base, title: 'ours' }
    const other = { ...theirs([one, two, three]), chosen: { model: 'gpt-4o' }, changedAt: 5 }
    expect(merged({ base, ours, theirs: other })).toMatchObject({
      title: 'ours',
      chosen: { model: 'gpt-4o' },
      changedAt: 5,
    })
  })
})
