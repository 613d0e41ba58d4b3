import type { Intent } from '@blueprintjs/core'

export type PayMethod = Readonly<{ name: string; type: string; [key: string]: unknown }>

/** Payment methods with a name and a type; empty if the setting is not a list. */
export const usableMethods = (all: readonly PayMethod[]): readonly PayMethod[] =>
  Array.isArray(all) ? all.filter(({ name, type }) => name && type) : []

/** The button colour set by the operator; by default WeChat is green, and all others, such as Alipay, are blue. */
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
