import { isObject } from '../base/json.ts'
import type { Json } from './formats/codec.ts'
import type { Members, NamedModel, Provider, Target } from './providers/provider.ts'

/** Who is asked, and what the model's name asks for. */
export type VendorAsk = Readonly<{ provider: Provider; target: Target; named: NamedModel | undefined }>

/** The members of a body that are to be otherwise, and what is lost by that, in OpenAI's names. */
export type Wanted = Readonly<{ edits: Members; dropped: readonly string[] }>

/** The edits of a body with what the model's name and the vendor want otherwise (`Provider.named`, `Provider.patch`). */
export function vendorEdits({ provider, target, named }: VendorAsk, json: Json, edits: Members): Wanted {
  if (target.endpoint === 'own' || (!provider.patch && !named?.members)) return { edits, dropped: NOTHING }
  const all = new Map(edits)
  const dropped: string[] = []
  if (target.endpoint === 'chat')
    for (const [name, value] of Object.entries(named?.members ?? {})) all.set(name, within(json[name], value))
  const patched = provider.patch?.(edited(json, all), target, (name) => void dropped.push(name)) ?? []
  for (const [name, value] of patched) all.set(name, value)
  return { edits: all, dropped }
}

const NOTHING: readonly string[] = []

/** Nothing is to be otherwise. */
export const UNCHANGED: Wanted = { edits: new Map(), dropped: NOTHING }

/** The same object with members changed, put in, or (undefined) left out. */
export function edited(json: Json, edits: Members): Json {
  if (edits.size === 0) return json
  const changed: Record<string, unknown> = { ...json }
  for (const [name, value] of edits) {
    if (value === undefined) delete changed[name]
    else changed[name] = value
  }
  return changed
}

const within = (given: unknown, value: unknown): unknown =>
  isObject(given) && isObject(value) ? { ...given, ...value } : value
