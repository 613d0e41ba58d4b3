import { InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { useTyped } from '../../components/filter-bar/use-typed.ts'
import { useTranslation } from '../../translation.ts'
import type { TokenFilter } from './use-tokens.ts'

type TokenFiltersProps = Readonly<{ filter: TokenFilter; onQuery: (filter: TokenFilter) => void; more: ReactNode }>

/** Looks for tokens by a part of their name or key; nothing is asked until Query. */
export function TokenFilters({ filter, onQuery, more }: TokenFiltersProps) {
  const { t } = useTranslation()
  const { typed, type } = useTyped(filter)
  return (
    <FilterBar onQuery={() => onQuery({ name: typed.name.trim(), key: typed.key.trim() })} more={more}>
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
    </FilterBar>
  )
}
