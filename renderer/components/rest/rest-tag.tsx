import { type Intent, Tag } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import type { RestView } from '../../../shared/api/routing.ts'
import { Countdown } from './countdown.tsx'
import type { Timed } from './timed.ts'

/** Yellow where the vendor named the time, red where it fails. */
export const restIntents = { limited: 'warning', failing: 'danger' } as const satisfies Record<RestView['kind'], Intent>

/** That something rests, as what, and for how long. */
export function RestTag({ rest }: { rest: Timed }) {
  return (
    <Tag minimal intent={restIntents[rest.kind]}>
      <RestText rest={rest} />
    </Tag>
  )
}

/** The words of the tag: limited or resting and how much longer, or that it is being tried. */
export function RestText({ rest }: { rest: Timed }) {
  const { t } = useTranslation()
  if (rest.seconds === 0) return t('rest.tried')
  return (
    <>
      {t(`rest.${rest.kind}`)} <Remaining rest={rest} />
    </>
  )
}

/** Behind what rests: the time that is left, or that one request tries it now. */
export function Remaining({ rest }: { rest: Timed }) {
  const { t } = useTranslation()
  return rest.seconds === 0 ? t('rest.triedNow') : <Countdown until={rest.until} />
}
