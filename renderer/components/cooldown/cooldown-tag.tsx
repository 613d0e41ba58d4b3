import { type Intent, Tag } from '@blueprintjs/core'
import type { CooldownView } from '../../../shared/api/routing.ts'
import { useTranslation } from '../../translation.ts'
import { Countdown } from './countdown.tsx'
import type { Timed } from './timed.ts'

/** Yellow where the vendor named the time, red where it fails. */
export const cooldownIntents = { limited: 'warning', failing: 'danger' } as const satisfies Record<
  CooldownView['kind'],
  Intent
>

/** That something is cooling down, as what, and for how long. */
export function CooldownTag({ cooldown }: { cooldown: Timed }) {
  return (
    <Tag minimal intent={cooldownIntents[cooldown.kind]}>
      <CooldownText cooldown={cooldown} />
    </Tag>
  )
}

/** The words of the tag: limited or cooling down and how much longer, or that it is being tried. */
export function CooldownText({ cooldown }: { cooldown: Timed }) {
  const { t } = useTranslation()
  if (cooldown.seconds === 0) return t('cooldown.probing')
  return (
    <>
      {t(`cooldown.${cooldown.kind}`)} <Remaining cooldown={cooldown} />
    </>
  )
}

/** Behind a cooldown: the time that is left, or that one request tries it now. */
export function Remaining({ cooldown }: { cooldown: Timed }) {
  const { t } = useTranslation()
  return cooldown.seconds === 0 ? t('cooldown.probingNow') : <Countdown until={cooldown.until} />
}
