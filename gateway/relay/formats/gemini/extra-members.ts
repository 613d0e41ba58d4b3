import { isObject, type JsonObject } from '../../../base/json/json.ts'

/** Messages whose unknown members are stored as extras under dotted names; the longest path first. */
const nests = ['toolConfig.functionCallingConfig', 'toolConfig', 'generationConfig'] as const
type Nest = (typeof nests)[number]

export function unknownMembers(message: JsonObject, known: readonly string[], nest?: Nest): JsonObject {
  const others = Object.entries(message).filter(([name]) => !known.includes(name))
  return Object.fromEntries(others.map(([name, value]) => [nest === undefined ? name : `${nest}.${name}`, value]))
}

export function restore(wire: JsonObject, fields: JsonObject): void {
  for (const [name, value] of Object.entries(fields)) {
    const nest = nests.find((candidate) => name.startsWith(`${candidate}.`))
    if (nest === undefined) wire[name] = value
    else nested(wire, nest)[name.slice(nest.length + 1)] = value
  }
}

function nested(wire: JsonObject, nest: Nest): JsonObject {
  return nest.split('.').reduce((outer, name) => {
    const inner = isObject(outer[name]) ? outer[name] : {}
    outer[name] = inner
    return inner
  }, wire)
}
