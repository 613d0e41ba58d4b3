import { expect, it } from 'vitest'
import { csvLine } from '../../shared/csv.ts'

it('an amount below zero stays a number in a table, and a formula becomes a text (docs/reference/logs.md#export)', () => {
  expect(csvLine([-5, '-5', '-0.50', '0.50'])).toBe('-5,-5,-0.50,0.50\r\n')
  expect(csvLine(['-5+1', '-', '-.5', '--1', '-1e3', '-A1', '=1', '+1', '@a', '-1\r'])).toBe(
    "'-5+1,'-,'-.5,'--1,'-1e3,'-A1,'=1,'+1,'@a,\"'-1\r\"\r\n",
  )
})
