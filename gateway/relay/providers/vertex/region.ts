import { isObject, parsed, textIn } from '../../../base/json.ts'
import type { Target } from '../provider.ts'

const DEFAULT = 'us-central1'
/** Places of several regions, whose hosts are named in another way. */
const JOINT = new Set(['us', 'eu'])

/** The region of a call: the channel's one, or of its map the one for the model as the caller calls it, as the vendor does, else its default. */
export function regionOf({ channel, asked = '', model }: Target): string {
  const other = channel.other.trim()
  const map = parsed(other)
  if (!isObject(map)) return other || DEFAULT
  return [map[asked], map[model], map.default].map(textIn).find(Boolean) ?? DEFAULT
}

/** The host that serves a region ("Locations" of Vertex AI). */
export function hostOf(region: string): string {
  if (region === 'global') return 'aiplatform.googleapis.com'
  return JOINT.has(region) ? `aiplatform.${region}.rep.googleapis.com` : `${region}-aiplatform.googleapis.com`
}
