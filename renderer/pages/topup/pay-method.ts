import type { Intent } from '@blueprintjs/core'

/** A way to pay, as the operator has set it up. */
export type PayMethod = Readonly<{ name: string; type: string; [key: string]: unknown }>

/** The ways to pay that have a name and a type; none where what the operator has set is no list. */
export const usableMethods = (all: readonly PayMethod[]): readonly PayMethod[] =>
  Array.isArray(all) ? all.filter(({ name, type }) => name && type) : []

/** Blue and green as the operator says; without a word Alipay is blue and WeChat green, all else is a button like others. */
export function intentOf({ type, color }: PayMethod): Intent {
  const named = intents.get(String(color ?? ''))
  if (named) return named
  return type === 'wx' ? 'success' : 'primary'
}

const intents: ReadonlyMap<string, Intent> = new Map<string, Intent>([
  ['blue', 'primary'],
  ['green', 'success'],
  ['orange', 'warning'],
  ['yellow', 'warning'],
  ['red', 'danger'],
])
