import { Button, Classes } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { isWebLink } from '../../../../shared/links.ts'
import { labelOf, type OptionKey, optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { later } from '../../../components/later.tsx'
import { useTranslation } from '../../../translation.ts'
import { OptionControl } from '../form/option-control.tsx'
import { PanelForm } from '../form/panel-form.tsx'
import { useOptionForm } from '../form/use-option-form.ts'

const OperatorText = later(async () => (await import('../../../components/operator-text/operator-text.tsx')).default)
const CleanHtml = later(async () => (await import('../../../components/clean-html/clean-html.tsx')).default)

/** Texts and names shown on the site, each with its own save button and error message; all but one with a preview. */
export function TextPanel({ panel }: { panel: PanelName }) {
  return (
    <div className="setting-texts">
      {optionsIn(panel).map((key) => (
        <TextForm key={key} option={key} panel={panel} />
      ))}
    </div>
  )
}

function TextForm({ option, panel }: { option: OptionKey; panel: PanelName }) {
  const { t } = useTranslation()
  const label = t(labelOf(option))
  const form = useOptionForm([option], { failText: t('settings.updateFailed', { name: label }) })
  const [isPreviewed, setPreviewed] = useState(false)
  const text = form.textOf(option)
  const button = hasPreview(option) && (
    <Button
      variant="minimal"
      text={t(isPreviewed ? 'settings.previewHide' : 'settings.preview')}
      aria-label={t(isPreviewed ? 'settings.previewHideOf' : 'settings.previewOf', { label })}
      aria-expanded={isPreviewed}
      onClick={() => setPreviewed(!isPreviewed)}
    />
  )
  return (
    <PanelForm form={form} panel={panel} name={label} more={button}>
      <OptionControl {...form.bind(option)} />
      {isPreviewed && (
        <section className="setting-preview" aria-label={t('settings.previewOf', { label })}>
          {text.trim() === '' ? <Note>{t('settings.previewEmpty')}</Note> : <Preview option={option} text={text} />}
        </section>
      )}
    </PanelForm>
  )
}

/** Previews a text, sanitized as on the page that shows it; an address of an external page is only named. */
function Preview({ option, text }: { option: OptionKey; text: string }) {
  const { t } = useTranslation()
  if (option === 'Logo') return <img src={text} alt={t('settings.logoAlt')} />
  if (option === 'Footer') return <CleanHtml html={text} />
  if (option !== 'Notice' && text.startsWith('https://') && isWebLink(text))
    return <Note>{t('settings.previewFrame', { address: text })}</Note>
  return <OperatorText text={text} />
}

const Note = ({ children }: { children: ReactNode }) => <p className={Classes.TEXT_MUTED}>{children}</p>

const hasPreview = (option: OptionKey): boolean => option !== 'SystemName'
