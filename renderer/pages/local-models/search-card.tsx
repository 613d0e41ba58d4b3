import { Button, Card, Classes, H2, Switch } from '@blueprintjs/core'
import { Search as SearchIcon } from '@blueprintjs/icons'
import { localPrograms, lookedFor } from '../../../shared/local-programs.ts'
import { useTranslation } from '../../translation.ts'
import type { Search } from './use-search.ts'

/** Lists exactly what will be requested before the first search; pressing the button is the consent. */
export function SearchCard({ search }: { search: Search }) {
  const { t } = useTranslation()
  const hasSearched = search.findings.length > 0
  return (
    <Card className="local-models-card">
      <H2 className="local-models-heading">{t('localModels.asked')}</H2>
      <ul className="local-models-ports">
        {lookedFor.map((name) => (
          <li key={name}>
            {localPrograms[name].label} <code className={Classes.CODE}>127.0.0.1:{localPrograms[name].port}</code>
          </li>
        ))}
      </ul>
      <p className={Classes.TEXT_MUTED}>{t('localModels.askedHint')}</p>
      <Switch
        label={t('localModels.takes')}
        checked={search.takes}
        onChange={(event) => search.setTakes(event.currentTarget.checked)}
      />
      <div className="local-models-actions">
        <Button
          intent={hasSearched ? 'none' : 'primary'}
          icon={<SearchIcon />}
          text={t(hasSearched ? 'localModels.searchAgain' : 'localModels.search')}
          loading={search.isSearching}
          onClick={search.search}
        />
        <span role="status" className={Classes.TEXT_MUTED}>
          {search.isSearching && t('localModels.searching')}
          {!search.isSearching && hasSearched && t('localModels.searched', { n: search.found })}
        </span>
      </div>
    </Card>
  )
}
