import { type Intent, Tag } from '@blueprintjs/core'
import type { CooldownView } from '../../../shared/api/routing.ts'
import { useTranslation } from '../../translation.ts'
import { Countdown } from './countdown.tsx'
import type { Timed } from './timed.ts'

/** Yellow if the vendor specified the time, red for failures. */
export const cooldownIntents = { limited: 'warning', failing: 'danger' } as const satisfies Record<
  CooldownView['kind'],
  Intent
>

export function CooldownTag({ cooldown }: { cooldown: Timed }) {
  return (
    <Tag minimal intent={cooldownIntents[cooldown.kind]}>
      <CooldownText cooldown={cooldown} />
    </Tag>
  )
}

/** The tag's text: limited or cooling down with the remaining time, or being probed. */
export function CooldownText({ cooldown }: { cooldown: Timed }) {
  const { t } = useTranslation()
  if (cooldown.seconds === 0) return t('cooldown.probing')
  return (
    <>
      {t(`cooldown.${cooldown.kind}`)} <Remaining cooldown={cooldown} />
    </>
  )
}

export function Remaining({ cooldown }: { cooldown: Timed }) {
  const { t } = useTranslation()
  return cooldown.seconds === 0 ? t('cooldown.probingNow') : <Countdown until={cooldown.until} />
}
