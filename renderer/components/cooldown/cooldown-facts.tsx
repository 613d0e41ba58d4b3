import './cooldown-facts.css'
import { Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { TimeText } from '../time-text/time-text.tsx'
import { CooldownTag } from './cooldown-tag.tsx'
import { responseText, type Timed } from './timed.ts'

type CooldownFactsProps = Readonly<{
  cooldown: Timed
  subject: ReactNode
}>

export function CooldownFacts({ cooldown, subject }: CooldownFactsProps) {
  const { t } = useTranslation()
  const { kind, failures, failed_at: failedAt } = cooldown
  return (
    <div className="cooldown-facts">
      <div className="cooldown-facts-head">
        <strong>{subject}</strong>
        <CooldownTag cooldown={cooldown} />
      </div>
      <p>{t(`cooldown.means.${kind}`)}</p>
      <p className="cooldown-facts-words">{responseText(cooldown, t('cooldown.noAnswer'))}</p>
      <p className={`${Classes.TEXT_MUTED} tabular`}>
        {t('cooldown.failures', { n: failures })} · {t('cooldown.lastFailure')} <TimeText at={failedAt} />
      </p>
    </div>
  )
}
