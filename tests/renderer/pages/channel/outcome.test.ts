import { describe, expect, it } from 'vitest'
import { gradeOf, type Outcome, tally } from '../../../../renderer/pages/channel/test/outcome.ts'
import type { DeepTestResult } from '../../../../shared/api/channel-runs.ts'
import type { Verdict } from '../../../../shared/api/verdict.ts'

const verdict = (code: Verdict['code']): Verdict => ({ ok: code === 'ok', ms: 1, code, message: '' })
const tested = (parts: Partial<DeepTestResult>): Outcome => ({
  state: 'done',
  found: { model: 'm', upstream_model: 'm', kind: 'chat', plain: null, stream: null, tool: null, ...parts },
})

describe('the grade of a model', () => {
  it('works when all calls its kind has are fine', () => {
    expect(gradeOf({ state: 'ok', seconds: 1 })).toBe('works')
    expect(gradeOf(tested({ plain: verdict('ok'), stream: verdict('ok'), tool: verdict('ok') }))).toBe('works')
    expect(gradeOf(tested({ kind: 'embeddings', plain: verdict('ok') }))).toBe('works')
  })

  it('is limited when the plain call is fine and another is not', () => {
    expect(gradeOf(tested({ plain: verdict('ok'), stream: verdict('ok'), tool: verdict('no_tool_call') }))).toBe(
      'limited',
    )
    expect(gradeOf(tested({ plain: verdict('ok'), stream: verdict('unreadable'), tool: verdict('ok') }))).toBe(
      'limited',
    )
  })

  it('fails when the plain call does, or nothing was answered at all', () => {
    expect(gradeOf(tested({ plain: verdict('bad_key'), stream: verdict('bad_key'), tool: verdict('bad_key') }))).toBe(
      'fails',
    )
    expect(gradeOf({ state: 'failed', why: 'no' })).toBe('fails')
  })

  it('is empty while the answer is pending, and untestable where nothing could be tested', () => {
    expect(gradeOf(undefined)).toBeUndefined()
    expect(gradeOf({ state: 'waiting' })).toBeUndefined()
    expect(gradeOf(tested({ kind: 'none' }))).toBe('untestable')
  })
})

it('counts only the models of the series', () => {
  const outcomes = new Map<string, Outcome>([
    ['a', { state: 'ok', seconds: 1 }],
    ['b', { state: 'failed', why: 'no' }],
    ['c', { state: 'waiting' }],
    ['earlier', { state: 'ok', seconds: 1 }],
  ])
  expect(tally(['a', 'b', 'c', 'd'], outcomes)).toEqual({ works: 1, limited: 0, fails: 1, untestable: 0 })
})
