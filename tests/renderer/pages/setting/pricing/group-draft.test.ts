import { describe, expect, it } from 'vitest'
import {
  draftOf,
  entriesOf,
  exclusiveProblem,
  isRight,
  movedTo,
  nameProblem,
  withGroup,
  withoutGroup,
} from '../../../../../renderer/pages/setting/pricing/groups/group-draft.ts'
import { groupWriter } from '../../../../../renderer/pages/setting/pricing/groups/group-entries.ts'
import { editsBetween } from '../../../../../renderer/pages/setting/pricing/three-way.ts'

const stored = {
  GroupRatio: '{"default":1,"vip":0.8,"third":0.3333333333333333}',
  UserUsableGroups: '{"default":"for all","auto":"any"}',
  GroupGroupRatio: '{"vip":{"default":0.9,"third":0.6666666666666666}}',
  AutoGroups: '["default","vip"]',
  DefaultUseAutoGroup: 'false',
}
const entries = groupWriter.read(stored)
const draft = draftOf(entries)
const written = (next: typeof draft) => groupWriter.write(stored, editsBetween(entries, entriesOf(next, entries)))

describe('groups as they are typed (docs/reference/screens.md#groups)', () => {
  it('writes back the values it read, with the digits that are not shown', () => {
    expect(editsBetween(entries, entriesOf(draft, entries)).size).toBe(0)
    expect(written(draft)).toEqual(stored)
  })

  it('adds a group with ratio 1 that users cannot select yet', () => {
    expect(JSON.parse(written(withGroup(draft, 'team')).GroupRatio ?? '')).toMatchObject({
      default: 1,
      third: 0.3333333333333333,
      team: 1,
    })
  })

  it('removes a group from every setting that names it', () => {
    expect(written(withoutGroup(draft, 'vip'))).toEqual({
      ...stored,
      GroupRatio: '{"default":1,"third":0.3333333333333333}',
      GroupGroupRatio: '{}',
      AutoGroups: '["default"]',
    })
  })

  it('moves a group within the order, and out of it', () => {
    expect(movedTo(draft.order, 'vip', 0)).toEqual(['vip', 'default'])
    expect(movedTo(draft.order, 'vip', -1)).toEqual(['default'])
  })

  it('leaves out a ratio override of which nothing was entered', () => {
    const empty = { id: 7, userGroup: '', usedGroup: '', ratio: '' }
    const more = { ...draft, exclusive: [...draft.exclusive, empty] }
    expect(isRight(more)).toBe(true)
    expect(written(more)).toEqual(stored)
  })

  it('refuses names that are taken or have a comma, pairs that occur twice, and invalid ratios', () => {
    expect(nameProblem(' vip ', draft)).toBe('groupEditor.twice')
    expect(nameProblem('a,b', draft)).toBe('groupEditor.comma')
    const twice = { id: 7, userGroup: 'vip', usedGroup: 'default', ratio: '2' }
    expect(exclusiveProblem(twice, { ...draft, exclusive: [...draft.exclusive, twice] })).toBe('groupEditor.pairTwice')
    expect(isRight({ ...draft, rows: [{ name: 'vip', ratio: '-1', description: undefined }] })).toBe(false)
  })

  it('preserves changes by others to another group', () => {
    const edits = editsBetween(entries, entriesOf(withGroup(draft, 'team'), entries))
    const now = { ...stored, GroupRatio: '{"default":2,"vip":0.8}', DefaultUseAutoGroup: 'true' }
    expect(groupWriter.write(now, edits)).toEqual({ ...now, GroupRatio: '{"default":2,"vip":0.8,"team":1}' })
  })
})
