import { Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'

type LinkedAccountProps = Readonly<{ name: string; value: string; children?: ReactNode }>

export function LinkedAccount({ name, value, children }: LinkedAccountProps) {
  const { t } = useTranslation()
  return (
    <li className="personal-row">
      <span className="personal-row-name">{name}</span>
      <span className={value === '' ? `personal-row-value ${Classes.TEXT_MUTED}` : 'personal-row-value'}>
        {value === '' ? t('personal.notBound') : <Address value={value} />}
      </span>
      {children}
    </li>
  )
}

/** A long mail address breaks after the @. */
function Address({ value }: { value: string }) {
  const at = value.indexOf('@') + 1
  return (
    <>
      {value.slice(0, at)}
      <wbr />
      {value.slice(at)}
    </>
  )
}
