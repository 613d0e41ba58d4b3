import { isObject } from '../../base/json/json.ts'

/** The texts, numbers and booleans in a value of an unknown kind, for counting. */
export function leavesOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(leavesOf).join(' ')
  return isObject(value) ? Object.values(value).map(leavesOf).join(' ') : ''
}
