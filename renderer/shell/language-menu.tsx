import { Menu, MenuItem } from '@blueprintjs/core'
import { Blank, Tick } from '@blueprintjs/icons'
import type { JSX } from 'react'
import { languages, languageTag, locales } from '../../shared/messages/locales.ts'
import { OpenPopover } from '../components/popover/open-popover.tsx'
import { chooseLanguage, currentLocale } from '../i18n.ts'
import { useTranslation } from '../translation.ts'

/** The language menu. Each entry is written in its own language. */
export default function LanguageMenu({ button }: { button: JSX.Element }) {
  const { t } = useTranslation()
  const items = locales.map((locale) => (
    <MenuItem
      key={locale}
      text={<span lang={languageTag(locale)}>{languages[locale].name}</span>}
      labelElement={locale === currentLocale() ? <Tick title={t('state.selected')} /> : <Blank />}
      onClick={() => void chooseLanguage(locale)}
    />
  ))
  return (
    <OpenPopover isMenu content={<Menu aria-label={t('language.label')}>{items}</Menu>}>
      {button}
    </OpenPopover>
  )
}
