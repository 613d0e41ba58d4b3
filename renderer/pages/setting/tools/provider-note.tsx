import './tools.css'
import { Classes } from '@blueprintjs/core'
import { useAddress } from '../../../api/use-address.ts'
import { CopyValue } from '../../../components/copy-text/copy-value.tsx'
import { useTranslation } from '../../../translation.ts'

type ProviderNoteProps = Readonly<{
  /** The callback path below the server address. */
  callback: `/${string}`
  /** The provider also requires the site's address. */
  hasHomepage?: boolean
}>

/** The values to register at a provider; a click copies them. */
export function ProviderNote({ callback, hasHomepage = false }: ProviderNoteProps) {
  const { t } = useTranslation()
  const address = useAddress()
  const copy = t('settings.copyAddress')
  return (
    <dl className="setting-note">
      {hasHomepage && (
        <>
          <dt className={Classes.TEXT_MUTED}>{t('settings.homepage')}</dt>
          <dd>
            <CopyValue value={address} label={copy} />
          </dd>
        </>
      )}
      <dt className={Classes.TEXT_MUTED}>{t('settings.callback')}</dt>
      <dd>
        <CopyValue value={address + callback} label={copy} />
      </dd>
    </dl>
  )
}
