import { describe, expect, it } from 'vitest'
import { type Entry, type Message, saying } from '../../../../renderer/pages/playground/conversation.ts'
import type { SavedConversation } from '../../../../renderer/pages/playground/kept/kept-conversation.ts'
import { merged } from '../../../../renderer/pages/playground/kept/merge.ts'

const said = (id: number, text = `message ${id}`): Message => saying(id, 'user', text)
const [one, two, three] = [said(1), said(2), said(3)]
const held = (...lanes: Entry[][]): SavedConversation => ({
  id: 'a',
  title: '',
  changedAt: 1,
  revision: 'first',
  chosen: {},
  lanes,
})
const base = held([one, two, three])
const idsOf = ({ lanes }: SavedConversation) => lanes.map((lane) => lane.map(({ id }) => id))
/** As another window reads it: the same words in other objects. */
const theirs = (...lanes: Entry[][]): SavedConversation => ({ ...structuredClone(held(...lanes)), revision: 'theirs' })

describe('one conversation in two windows (docs/reference/screens.md#playground)', () => {
  it('keeps the messages of both, in the order of time', () => {
    const all = merged({
      base,
      ours: held([one, two, three, said(5), said(6)]),
      theirs: theirs([one, two, three, said(4), said(7)]),
    })
    expect(idsOf(all)).toEqual([[1, 2, 3, 4, 5, 6, 7]])
    expect(all.revision).toBe('theirs')
  })

  it('removes messages that were removed in either, unless they were changed here', () => {
    expect(idsOf(merged({ base, ours: held([one, three]), theirs: theirs([one, two]) }))).toEqual([[1]])
    const ours = held([one, two, said(3, 'said again')])
    expect(idsOf(merged({ base, ours, theirs: theirs([one, two]) }))).toEqual([[1, 2, 3]])
  })

  it('prefers the message that was changed: here, else there', () => {
    const all = merged({
      base,
      ours: held([one, said(2, 'ours'), three]),
      theirs: theirs([one, said(2, 'theirs'), said(3, 'theirs')]),
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
      ours: held([one, two, three], [one, said(4)]),
      theirs: theirs([one, two, three, said(5)]),
    })
    expect(idsOf(begun)).toEqual([
      [1, 2, 3, 5],
      [1, 4],
    ])
    const compared = held([one], [one, two])
    expect(idsOf(merged({ base: compared, ours: held([one]), theirs: theirs([one], [one, two]) }))).toEqual([[1]])
    const goesOn = merged({ base: compared, ours: held([one]), theirs: theirs([one], [one, two, said(9)]) })
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
