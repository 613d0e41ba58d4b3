import './token-filters.css'
import { Button, InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TokenFilter } from './use-tokens.ts'

/** Looks for tokens by a part of their name or key; nothing is asked until Query. */
export function TokenFilters({ filter, onQuery }: { filter: TokenFilter; onQuery: (filter: TokenFilter) => void }) {
  const { t } = useTranslation()
  const [typed, type] = useState(filter)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onQuery({ name: typed.name.trim(), key: typed.key.trim() })
  }
  return (
    <search>
      <form className="token-filters" onSubmit={submit}>
        <InputGroup
          leftIcon={<Search />}
          placeholder={t('label.name')}
          aria-label={t('label.name')}
          value={typed.name}
          onValueChange={(name) => type({ ...typed, name })}
        />
        <InputGroup
          placeholder={t('label.key')}
          aria-label={t('label.key')}
          value={typed.key}
          onValueChange={(key) => type({ ...typed, key })}
        />
        <Button type="submit" text={t('label.query')} />
      </form>
    </search>
  )
}
