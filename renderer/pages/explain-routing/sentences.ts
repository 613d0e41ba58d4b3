import type { ExplainedChannel, RoutingExplanation } from '../../../shared/api/routing.ts'
import type { Locale } from '../../../shared/messages/format.ts'
import { groupNameOf } from '../../components/group-name.ts'
import type { Translate } from '../../translation.ts'
import { percent } from './percent.ts'

type Language = Readonly<{ t: Translate; locale: Locale }>

/** Describes which channels would be tried first and next, and how many at most; for requests that are not refused. */
export function sentencesOf(explanation: RoutingExplanation, tongue: Language): string[] {
  const { t } = tongue
  const eligible = explanation.channels.filter(({ verdict }) => verdict === 'eligible')
  const [best] = eligible
  if (!best) return coolingText(explanation, tongue)
  const first = eligible.filter(({ priority }) => priority === best.priority)
  const more = Math.min(explanation.tries, eligible.length) - 1
  const opening = openingText(explanation, best, first, tongue)
  if (more <= 0) return [opening, t('explain.noTry')]
  return [opening, thenText(first.length, eligible.slice(first.length, 1 + more), tongue), triesText(more, t)]
}

/** Names the failing channels, which would be tried because no other channel is available. */
function coolingText({ model, group: id, channels }: RoutingExplanation, tongue: Language): string[] {
  const { t } = tongue
  const group = groupNameOf(id, t)
  const names = channels.filter(({ verdict }) => verdict === 'cooldown').map(plainly(t))
  return names.length === 0
    ? []
    : [t('explain.cooldown', { model, group, names: listNames(names, 'disjunction', tongue) })]
}

function openingText(
  { model, group: id }: RoutingExplanation,
  best: ExplainedChannel,
  first: readonly ExplainedChannel[],
  tongue: Language,
): string {
  const { t } = tongue
  const group = groupNameOf(id, t)
  if (first.length === 1) return t('explain.onlyOne', { model, group, name: best.name })
  return t('explain.first', { model, group, names: listNames(first.map(withShare(t)), 'disjunction', tongue) })
}

/** What follows the first channel: the others of its priority, then as many of lower priorities as would be tried. */
function thenText(peers: number, lower: readonly ExplainedChannel[], tongue: Language): string {
  const { t } = tongue
  const names = listNames(lower.map(plainly(t)), 'conjunction', tongue)
  if (peers === 1) return t('explain.then', { names })
  return lower.length === 0 ? t('explain.thenPeers') : t('explain.thenLower', { names })
}

const triesText = (n: number, t: Translate): string => t('explain.tries', { n })

const plainly =
  (t: Translate) =>
  ({ name }: ExplainedChannel): string =>
    t('explain.named', { name })

const withShare =
  (t: Translate) =>
  ({ name, share }: ExplainedChannel): string =>
    t('explain.namedShare', { name, share: percent(share) })

/** Lists a few names in the language's format, and the number of others. */
function listNames(names: readonly string[], type: 'conjunction' | 'disjunction', { t, locale }: Language): string {
  const shown =
    names.length > max ? [...names.slice(0, max - 1), t('explain.others', { n: names.length - max + 1 })] : names
  return new Intl.ListFormat(locale, { type }).format(shown)
}

const max = 4
