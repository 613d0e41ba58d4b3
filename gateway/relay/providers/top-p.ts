import { numberIn } from '../../base/json.ts'
import type { Json } from '../formats/codec.ts'

/** The edit that keeps `top_p` within what a vendor takes: none where it fits, or was not given. */
export function topPWithin({ top_p }: Json, least: number, most: number): readonly (readonly [string, unknown])[] {
  const given = numberIn(top_p)
  if (given === undefined || (given >= least && given <= most)) return []
  return [['top_p', Math.min(Math.max(given, least), most)]]
}
