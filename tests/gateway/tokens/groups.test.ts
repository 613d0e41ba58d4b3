import { describe, expect, it } from 'vitest'
import {
  type GroupSettings,
  groupChoices,
  groupRatio,
  isKnownGroup,
  mayUseGroup,
  usableGroups,
} from '../../../gateway/accounts/groups.ts'
import type { OptionValue } from '../../../shared/options/index.ts'

type Key = Parameters<GroupSettings['get']>[0]
type Values = { [K in Key]: OptionValue<K> }

const settingsOf = (values: Partial<Values> = {}): GroupSettings => {
  const all: Values = {
    UserUsableGroups: { default: 'for all', vip: 'for friends' },
    GroupRatio: { default: 1, vip: 0.5, staff: 0 },
    GroupGroupRatio: {},
    ...values,
  }
  return { get: (key) => all[key] }
}

describe('the groups a user may use (docs/reference/accounts.md#groups)', () => {
  it('are those open to all and the own one', () => {
    expect([...usableGroups('staff', settingsOf(), 'user group')]).toEqual([
      ['default', 'for all'],
      ['vip', 'for friends'],
      ['staff', 'user group'],
    ])
    expect([...usableGroups('vip', settingsOf(), 'user group').keys()]).toEqual(['default', 'vip'])
  })

  it('include default when the own group is empty, even where it is not open to all', () => {
    const closed = settingsOf({ UserUsableGroups: { vip: '' } })
    expect([...usableGroups('', closed).keys()]).toEqual(['vip', 'default'])
    expect([...usableGroups('staff', closed).keys()]).toEqual(['vip', 'staff'])
  })

  it('include auto only where it is open to all', () => {
    expect(mayUseGroup('staff', 'auto', settingsOf())).toBe(false)
    expect(mayUseGroup('staff', 'auto', settingsOf({ UserUsableGroups: { auto: 'best' } }))).toBe(true)
  })

  it('are the same whether requested for one or for all', () => {
    for (const own of ['', 'default', 'vip', 'staff', 'gone'])
      for (const group of ['', 'default', 'vip', 'staff', 'auto', 'gone', 'constructor', '__proto__'])
        expect(mayUseGroup(own, group, settingsOf())).toBe(usableGroups(own, settingsOf()).has(group))
  })

  it('exist only as keys of GroupRatio, and auto', () => {
    expect(['default', 'staff', 'auto'].every((group) => isKnownGroup(group, settingsOf()))).toBe(true)
    expect(['gone', '', 'constructor', '__proto__'].some((group) => isKnownGroup(group, settingsOf()))).toBe(false)
  })
})

describe('the ratio of a group', () => {
  it('is that of the pair, else that of the group, else 1; 0 is a ratio like any other', () => {
    const settings = settingsOf({ GroupGroupRatio: { vip: { default: 0.9, staff: 0 } } })
    expect(groupRatio('vip', 'default', settings)).toBe(0.9)
    expect(groupRatio('vip', 'staff', settings)).toBe(0)
    expect(groupRatio('vip', 'vip', settings)).toBe(0.5)
    expect(groupRatio('default', 'staff', settings)).toBe(0)
    expect(groupRatio('default', 'gone', settings)).toBe(1)
    expect(groupRatio('constructor', 'toString', settings)).toBe(1)
  })

  it('is shown with each choice, for groups that exist; auto has the word', () => {
    const settings = settingsOf({
      UserUsableGroups: { auto: 'best', default: 'for all', gone: 'was removed' },
      GroupGroupRatio: { staff: { default: 0.7 } },
    })
    expect(groupChoices('staff', settings, 'user group')).toEqual({
      auto: { desc: 'best', ratio: 'auto' },
      default: { desc: 'for all', ratio: 0.7 },
      staff: { desc: 'user group', ratio: 0 },
    })
  })
})
