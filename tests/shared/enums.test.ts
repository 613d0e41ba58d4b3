import { describe, expect, it } from 'vitest'
import {
  channelStatusLabel,
  drawingActionLabel,
  drawingStatusLabel,
  drawingSubmitLabel,
  logTypeLabel,
  redemptionStatusLabel,
  role,
  roleLabel,
  taskActionLabel,
  taskStatusLabel,
  tokenStatusLabel,
  userStatusLabel,
} from '../../shared/enums.ts'
import { formatMessage } from '../../shared/messages/format.ts'

const english = (key: Parameters<typeof formatMessage>[1]) => formatMessage('en', key)

describe('names of stored numbers and words (docs/reference/accounts.md#roles, docs/reference/channels.md#fields)', () => {
  it('roles: a right is "role at least n"', () => {
    expect([role.visitor, role.user, role.admin, role.root]).toEqual([0, 1, 10, 100])
    expect([1, 10, 100, 7].map(roleLabel).map(english)).toEqual([
      'Normal user',
      'Administrator',
      'Super administrator',
      'Unknown identity',
    ])
  })

  it('accounts: 1 activated, 2 banned, 3 unknown, deactivated above all', () => {
    expect([1, 2, 3].map((value) => english(userStatusLabel(value, false)))).toEqual(['Activated', 'Banned', 'Unknown'])
    expect(english(userStatusLabel(2, true))).toBe('Deactivated')
  })

  it('tokens: an enabled one with model limits says so', () => {
    const names = [1, 2, 3, 4, 9].map((value) => english(tokenStatusLabel(value, false)))
    expect(names).toEqual(['Enabled', 'Disabled', 'Expired', 'Exhausted', 'Unknown'])
    expect(english(tokenStatusLabel(1, true))).toBe('Enabled: restricted models')
    expect(english(tokenStatusLabel(2, true))).toBe('Disabled')
  })

  it('channels, codes and logs', () => {
    expect([1, 2, 3, 0].map(channelStatusLabel).map(english)).toEqual([
      'Enabled',
      'Disabled',
      'Auto-disabled',
      'Unknown',
    ])
    expect([1, 2, 3].map(redemptionStatusLabel).map(english)).toEqual(['Unused', 'Disabled', 'Used'])
    expect([0, 1, 2, 3, 4, 5].map(logTypeLabel).map(english)).toEqual([
      'All',
      'Top-up',
      'Usage',
      'Manage',
      'System',
      'Error',
    ])
  })

  it('drawings', () => {
    expect(['IMAGINE', 'SWAP_FACE', 'OTHER'].map(drawingActionLabel).map(english)).toEqual([
      'Imagine',
      'Swap face',
      'Unknown',
    ])
    expect(['SUBMITTED', 'MODAL', ''].map(drawingStatusLabel).map(english)).toEqual([
      'Queued',
      'Waiting for window',
      'Unknown',
    ])
    expect([1, 21, 22, 0].map(drawingSubmitLabel).map(english)).toEqual([
      'Submitted',
      'Waiting',
      'Duplicate',
      'Not submitted',
    ])
  })

  it('tasks: an empty state is being submitted', () => {
    expect(['', 'QUEUED', 'UNKNOWN'].map(taskStatusLabel).map(english)).toEqual(['Submitting', 'Queued', 'Unknown'])
    expect(['MUSIC', 'LYRICS'].map(taskActionLabel).map(english)).toEqual(['Generate music', 'Generate lyrics'])
  })
})
