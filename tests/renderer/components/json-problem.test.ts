import { describe, expect, it } from 'vitest'
import { readJson } from '../../../renderer/components/json-field/json-problem.ts'

describe('where a text stops being JSON', () => {
  it.each([
    ['{"a": 1, "b": [true, null, -1.5e3, "\\u00e9"]}', undefined],
    ['{"a": }', { line: 1, column: 7 }],
    ['{\n  "a": 1,\n  b: 2\n}', { line: 3, column: 3 }],
    ['{"a": 1,}', { line: 1, column: 9 }],
    ['[1, 2', { line: 1, column: 6 }],
    ['{"a": 1]', { line: 1, column: 8 }],
    ['{"a" 1}', { line: 1, column: 6 }],
    ['[] []', { line: 1, column: 4 }],
    ['[01]', { line: 1, column: 3 }],
    ["{'a': 1}", { line: 1, column: 2 }],
    ['"a line\nbreak"', { line: 1, column: 1 }],
    ['', { line: 1, column: 1 }],
  ])('%j', (text, problem) => {
    expect(readJson(text)).toEqual(problem ? { problem } : { value: JSON.parse(text) })
  })
})
