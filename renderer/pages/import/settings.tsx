import { Card, Classes, HTMLTable } from '@blueprintjs/core'
import type { ImportSetting } from '../../../shared/api/import.ts'
import { isOptionKey, labelOf } from '../../../shared/options/index.ts'
import { Sideways } from '../../components/sideways/sideways.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'

type SettingsProps = Readonly<{ settings: readonly ImportSetting[] }>

export function Settings({ settings }: SettingsProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  if (settings.length === 0) return null
  return (
    <>
      <h3 className="import-page-subheading">{t('imports.settings')}</h3>
      {isNarrow ? <SettingCards settings={settings} /> : <SettingTable settings={settings} />}
      {settings.some((one) => one.is_part) && <p className={Classes.TEXT_MUTED}>{t('imports.settingsPart')}</p>}
    </>
  )
}

function SettingTable({ settings }: SettingsProps) {
  const { t } = useTranslation()
  return (
    <Sideways className="import-page-table import-page-long" label={t('imports.settings')}>
      <HTMLTable compact aria-label={t('imports.settings')}>
        <thead>
          <tr>
            <th scope="col">{t('imports.setting')}</th>
            <th scope="col">{t('imports.before')}</th>
            <th scope="col">{t('imports.after')}</th>
          </tr>
        </thead>
        <tbody>
          {settings.map(({ key, before, after }) => (
            <tr key={key}>
              <th scope="row">
                <Name name={key} />
              </th>
              <td className="import-page-row">{before || t('imports.emptyValue')}</td>
              <td className="import-page-row">{after || t('imports.emptyValue')}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </Sideways>
  )
}

function SettingCards({ settings }: SettingsProps) {
  const { t } = useTranslation()
  return (
    <ul className="import-page-cards" aria-label={t('imports.settings')}>
      {settings.map(({ key, before, after }) => (
        <li key={key}>
          <Card compact>
            <strong>
              <Name name={key} />
            </strong>
            <dl>
              <div>
                <dt className={Classes.TEXT_MUTED}>{t('imports.before')}</dt>
                <dd className="import-page-row">{before || t('imports.emptyValue')}</dd>
              </div>
              <div>
                <dt className={Classes.TEXT_MUTED}>{t('imports.after')}</dt>
                <dd className="import-page-row">{after || t('imports.emptyValue')}</dd>
              </div>
            </dl>
          </Card>
        </li>
      ))}
    </ul>
  )
}

function Name({ name }: { name: string }) {
  const { t } = useTranslation()
  return isOptionKey(name) ? t(labelOf(name)) : name
}
