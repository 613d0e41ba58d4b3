import { Menu, MenuItem } from '@blueprintjs/core'
import { Blank, Tick } from '@blueprintjs/icons'
import type { JSX } from 'react'
import { OpenPopover } from '../components/popover/open-popover.tsx'
import { chooseLanguage, currentLocale } from '../i18n.ts'
import { useTranslation } from '../translation.ts'

/** The language menu. Each language is named in itself. */
export default function LanguageMenu({ button }: { button: JSX.Element }) {
  const { t } = useTranslation()
  const items = languages.map(({ locale, name, tag }) => (
    <MenuItem
      key={locale}
      text={<span lang={tag}>{name}</span>}
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

/** In the order of docs/reference/screens.md#shell. */
const languages = [
  { locale: 'zh', name: '中文', tag: 'zh-CN' },
  { locale: 'en', name: 'English', tag: 'en' },
] as const
