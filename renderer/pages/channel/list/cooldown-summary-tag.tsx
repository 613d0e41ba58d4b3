import './cooldown-summary-tag.css'
import { Button } from '@blueprintjs/core'
import { Reset } from '@blueprintjs/icons'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { CooldownFacts } from '../../../components/cooldown/cooldown-facts.tsx'
import { CooldownText, cooldownIntents, Remaining } from '../../../components/cooldown/cooldown-tag.tsx'
import { TagPopover } from '../../../components/popover/tag-popover.tsx'
import { useTranslation } from '../../../translation.ts'
import { keyName, useKeys } from '../keys/use-keys.ts'
import { cooldownSummary, cooldownTexts } from './cooldown-summary.ts'
import { useClearCooldowns } from './use-clear-cooldowns.ts'
import type { TimedCooldown } from './use-cooldowns.ts'

type CooldownSummaryProps = Readonly<{ channel: ChannelView; cooldowns: readonly TimedCooldown[] }>

/**
 * Shows that a channel, model or key is cooling down, and for how long; opens to show the reason and a button that ends
 * it.
 */
export function CooldownSummaryTag({ channel, cooldowns }: CooldownSummaryProps) {
  const { t } = useTranslation()
  const isFailing = cooldowns.some(({ kind }) => kind === 'failing')
  const label = t('cooldown.title', { name: channel.name })
  return (
    <TagPopover
      intent={cooldownIntents[isFailing ? 'failing' : 'limited']}
      content={<Cooldowns channel={channel} cooldowns={cooldowns} label={label} />}
    >
      <SummaryText channel={channel} cooldowns={cooldowns} />
    </TagPopover>
  )
}

/**
 * One line about what is cooling down, with a countdown if it is a single item; several have their countdowns in the
 * popover.
 */
function SummaryText({ channel, cooldowns }: CooldownSummaryProps) {
  const { t } = useTranslation()
  const cooling = cooldownSummary(cooldowns)
  if (cooling.whole) return <CooldownText cooldown={cooling.whole} />
  const [first, ...others] = cooldowns
  const only = others.length === 0 ? first : undefined
  return cooldownTexts(cooling, channel, t).map((text) => (
    <span key={text} className="cooling-line">
      {text} {only && <Remaining cooldown={only} />}
    </span>
  ))
}

function Cooldowns({ channel, cooldowns, label }: CooldownSummaryProps & Readonly<{ label: string }>) {
  const { t } = useTranslation()
  const { clear, isBusy } = useClearCooldowns(channel)
  return (
    <div className="cooling" role="dialog" aria-label={label}>
      <ul>
        {cooldowns.map((cooldown) => (
          <li key={`${cooldown.key_id} ${cooldown.model}`}>
            <CooldownFacts cooldown={cooldown} subject={<Subject cooldown={cooldown} />} />
          </li>
        ))}
      </ul>
      <Button size="small" icon={<Reset />} text={t('cooldown.end')} loading={isBusy} onClick={clear} />
    </div>
  )
}

function Subject({ cooldown: { channel_id: id, model, key_id: keyId } }: { cooldown: TimedCooldown }) {
  const { t } = useTranslation()
  const { data: keys = [] } = useKeys(id, keyId !== '')
  const models = model === '' ? t('cooldown.everyModel') : model
  if (keyId === '') return models
  const key = keys.find(({ id: one }) => one === keyId)
  return `${t('cooldown.keyNamed', { name: key ? keyName(key) : '…' })} · ${models}`
}
