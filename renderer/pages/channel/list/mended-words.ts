import type { Consistency } from '../../../../shared/api/channel-consistency.ts'
import { sentences } from '../../../components/sentences.ts'
import type { Translate } from '../../../translation.ts'

/** What a look over the database found, in words: what was mended, and what only a person can mend. */
export function mendedWords(t: Translate, channels: number, found: Consistency): string {
  const parts = kinds.filter((kind) => found[kind] > 0).map((kind) => t(`channel.mended.${kind}`, { n: found[kind] }))
  const checked = t('channel.checked', { n: channels })
  const mended =
    parts.length > 0
      ? t('channel.mended.all', { parts: parts.join(t('channel.mended.between')) })
      : t('channel.mended.nothing')
  const left = found.unreadable > 0 ? [t('channel.unreadable', { n: found.unreadable })] : []
  return sentences(checked, mended, ...left)
}

const kinds = ['rerouted', 'keys', 'seen', 'tokens'] as const
