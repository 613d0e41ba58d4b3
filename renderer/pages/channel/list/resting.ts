import type { TFunction } from 'i18next'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { namesIn } from './row.ts'
import type { TimedRest } from './use-rests.ts'

/** What of a channel rests: all of it, or single models and keys. A key that rests for one model alone counts as a key. */
export type Resting = Readonly<{ whole: TimedRest | undefined; models: number; keys: number }>

/** Counts what rests. */
export function restingOf(rests: readonly TimedRest[]): Resting {
  const models = new Set(rests.flatMap(({ model, key_id: key }) => (model !== '' && key === '' ? [model] : [])))
  const keys = new Set(rests.flatMap(({ key_id: key }) => (key === '' ? [] : [key])))
  const whole = rests.find(({ model, key_id: key }) => model === '' && key === '')
  return { whole, models: models.size, keys: keys.size }
}

/** What rests in words, such as "1 model rests" and "1 of 5 keys rests". */
export function restingTexts({ models, keys }: Resting, channel: ChannelView, t: TFunction): string[] {
  const all = channel.key_count
  return [
    ...(models > 0 ? [modelsText(models, namesIn(channel.models).length, t)] : []),
    ...(keys > 0 ? [t(keys === 1 ? 'rest.key' : 'rest.keys', { n: keys, all })] : []),
  ]
}

function modelsText(resting: number, all: number, t: TFunction): string {
  if (resting === all && all > 1) return t('rest.allModels')
  return t(resting === 1 ? 'rest.model' : 'rest.models', { n: resting })
}
