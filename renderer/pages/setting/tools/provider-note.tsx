import './tools.css'
import { Classes } from '@blueprintjs/core'
import { useAddress } from '../../../api/use-address.ts'
import { CopyValue } from '../../../components/copy-text/copy-value.tsx'
import { useTranslation } from '../../../translation.ts'

type ProviderNoteProps = Readonly<{
  /** Where the provider sends people back to, below the server address. */
  callback: `/${string}`
  /** The provider asks for the address of the site as well. */
  hasHomepage?: boolean
}>

/** What a provider is told of this gateway when it is registered there; a click copies it. */
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
