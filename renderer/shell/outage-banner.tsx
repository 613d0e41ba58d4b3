import './outage-banner.css'
import { Button, Callout } from '@blueprintjs/core'
import { useLayoutEffect } from 'react'
import { type Outage, tryNow, useOutage } from '../api/connection.ts'
import { Countdown } from '../components/cooldown/countdown.tsx'
import { useTranslation } from '../translation.ts'

/** Says that the gateway does not answer, and counts to the next try; all that is shown stays as it is meanwhile. */
export function OutageBanner() {
  const outage = useOutage()
  return outage ? <Banner outage={outage} /> : null
}

function Banner({ outage: { isTrying, nextTryAt } }: { outage: Outage }) {
  const { t } = useTranslation()
  useLayoutEffect(() => {
    const { classList } = document.documentElement
    classList.add('has-outage')
    return () => classList.remove('has-outage')
  }, [])
  return (
    <section className="outage-banner" aria-label={t('outage.text')}>
      <Callout compact intent="warning" icon={null}>
        <strong role="alert">{t('outage.text')}</strong>
        <span className="outage-banner-next">
          {isTrying ? (
            t('outage.trying')
          ) : (
            <span>
              {t('outage.next')} <Countdown until={nextTryAt} />
            </span>
          )}
          <Button text={t('outage.now')} loading={isTrying} onClick={() => void tryNow()} />
        </span>
      </Callout>
    </section>
  )
}
