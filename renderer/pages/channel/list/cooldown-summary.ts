import type { ChannelView } from '../../../../shared/api/channel.ts'
import type { Translate } from '../../../translation.ts'
import { namesIn } from './row.ts'
import type { TimedCooldown } from './use-cooldowns.ts'

/**
 * What is cooling down: the whole channel, or the number of models and keys. A key in cooldown for a single model is
 * counted as a key.
 */
type CooldownSummary = Readonly<{ whole: TimedCooldown | undefined; models: number; keys: number }>

export function cooldownSummary(cooldowns: readonly TimedCooldown[]): CooldownSummary {
  const models = new Set(cooldowns.flatMap(({ model, key_id: key }) => (model !== '' && key === '' ? [model] : [])))
  const keys = new Set(cooldowns.flatMap(({ key_id: key }) => (key === '' ? [] : [key])))
  const whole = cooldowns.find(({ model, key_id: key }) => model === '' && key === '')
  return { whole, models: models.size, keys: keys.size }
}

export function cooldownTexts({ models, keys }: CooldownSummary, channel: ChannelView, t: Translate): string[] {
  const all = channel.key_count
  return [
    ...(models > 0 ? [modelsText(models, namesIn(channel.models).length, t)] : []),
    ...(keys > 0 ? [t('cooldown.keys', { n: keys, all })] : []),
  ]
}

function modelsText(cooling: number, all: number, t: Translate): string {
  if (cooling === all && all > 1) return t('cooldown.allModels')
  return t('cooldown.models', { n: cooling })
}
