import type { ConnectSetting, ConnectTarget, PlainValue } from '../../../../shared/connect/client.ts'
import { connectClient } from '../../../../shared/connect/clients.ts'

/** A program's complete file as the connect service would create it (shared/connect). */
export function whole(id: string, index: number, target: ConnectTarget): PlainValue {
  const file = connectClient(id)?.files?.[index]
  return valuesOf([...(file?.begins ?? []), ...(file?.settings(target) ?? [])])
}

const valuesOf = (settings: readonly ConnectSetting[]): PlainValue =>
  settings.reduce<PlainValue>((all, { path, value }) => placed(all, path, value), {})

function placed(
  around: PlainValue | undefined,
  [step, ...rest]: ConnectSetting['path'],
  value: PlainValue,
): PlainValue {
  if (step === undefined) return value
  if (typeof step !== 'string') return [placed(undefined, rest, value)]
  const members = typeof around === 'object' && around !== null && !Array.isArray(around) ? around : {}
  const inner = Object.entries(members).find(([name]) => name === step)?.[1]
  return { ...members, [step]: placed(inner, rest, value) }
}

export function yaml(value: PlainValue, indent = ''): string {
  const lines = (inner: PlainValue) => yaml(inner, `${indent}  `)
  if (isList(value)) return value.map((entry) => `${indent}- ${lines(entry).trimStart()}`).join('\n')
  if (typeof value !== 'object' || value === null) return indent + JSON.stringify(value)
  return Object.entries(value)
    .map(([name, inner]) =>
      typeof inner === 'object' && inner !== null
        ? `${indent}${name}:\n${lines(inner)}`
        : `${indent}${name}: ${JSON.stringify(inner)}`,
    )
    .join('\n')
}

const isList = (value: PlainValue): value is readonly PlainValue[] => Array.isArray(value)
