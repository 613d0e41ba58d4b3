import { Callout } from '@blueprintjs/core'
import { role } from '../../shared/enums.ts'
import { useUser } from '../api/session.ts'
import { useTranslation } from '../translation.ts'
import { LinkButton } from './link-button.tsx'

/**
 * Notes that a link only works on this computer. The super administrator gets a link to the sharing page, others are
 * advised to contact them.
 */
export function OnlyHere() {
  const { t } = useTranslation()
  const isRoot = (useUser()?.role ?? 0) >= role.root
  return (
    <Callout compact intent="warning" role="status">
      <p>
        {t('link.onlyHere')} {!isRoot && t('link.askToShare')}
      </p>
      {isRoot && <LinkButton isFilled to="/share" text={t('page.share')} />}
    </Callout>
  )
}
