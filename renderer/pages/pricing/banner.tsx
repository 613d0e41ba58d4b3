import { Callout, Classes } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { PriceFacts } from '../../../shared/api/pricing.ts'
import { priceOfRatio, printed } from '../../../shared/pricing.ts'
import { useUser } from '../../api/session.ts'
import { useGroupName } from '../../components/group-name.ts'
import { sentences } from '../../components/sentences.ts'
import { useTranslation } from '../../translation.ts'

type BannerProps = Readonly<{
  facts: PriceFacts
  group: string
}>

/**
 * Explains the basis of the prices: the reader's own group or the one for visitors, the displayed group if another, and
 * the formula. Warns a reader who is signed out.
 */
export function Banner({ facts, group }: BannerProps) {
  const { t } = useTranslation()
  const user = useUser()
  const nameOf = useGroupName()
  const values = (name: string) => ({ group: nameOf(name), ratio: timesOf(facts, name) })
  return (
    <Callout className="pricing-banner" intent={user ? 'primary' : 'warning'}>
      <p>
        {sentences(
          t(user ? 'pricing.ownGroup' : 'pricing.visitor', values(facts.own_group)),
          group === facts.own_group ? undefined : t('pricing.shownGroup', values(group)),
        )}
        {!user && (
          <>
            {' '}
            <Link to="/login?next=/pricing">{t('label.logIn')}</Link>
          </>
        )}
      </p>
      <p className={Classes.TEXT_SMALL}>{t('pricing.formula', { unit: unitPrice(facts) })}</p>
    </Callout>
  )
}

/** A group's ratio; 1 by default. */
const timesOf = ({ group_ratio }: PriceFacts, group: string): string => `${printed(group_ratio[group] ?? 1)}×`

export const unitPrice = ({ quota_per_unit }: PriceFacts): string => `$${printed(priceOfRatio(1, quota_per_unit))}`
