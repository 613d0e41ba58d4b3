import { Card, Checkbox, Classes, FormGroup, H2, InputGroup, Radio, RadioGroup } from '@blueprintjs/core'
import { useId } from 'react'
import type { ImportChoices, ImportState } from '../../../shared/api/import.ts'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import type { ImportWork } from './use-import.ts'

type Origin = NonNullable<ImportState['file']>['origin']
type ChoicesProps = Readonly<{ origin: Origin; variables: readonly string[]; work: ImportWork }>

export function Choices({ origin, variables, work }: ChoicesProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const isDatabase = origin === 'database'
  const { options } = work.choices
  return (
    <Card className="import-page-card" role="region" aria-labelledby={titleId}>
      <H2 id={titleId} className="import-page-heading">
        {t('imports.choices')}
      </H2>
      <div className="import-page-choices">
        <div>
          {isDatabase && <Tick name="accounts" work={work} />}
          <Tick name="channels" work={work} />
          {isDatabase && <Tick name="redemptions" work={work} />}
          {isDatabase && <Tick name="history" hint={t('imports.historyHint')} work={work} />}
        </div>
        <div>
          <Either name="options" work={work} />
          {options !== 'none' && <Tick name="overwrite" hint={t('imports.overwriteHint')} work={work} />}
        </div>
        {isDatabase && work.choices.accounts && (
          <div>
            <Either name="names" work={work} />
            <Either name="root" work={work} />
          </div>
        )}
      </div>
      <Variables names={[...new Set([...variables, ...Object.keys(work.choices.secrets)])].sort()} work={work} />
    </Card>
  )
}

type TickName = 'accounts' | 'channels' | 'redemptions' | 'history' | 'overwrite'

function Tick({ name, hint, work }: Readonly<{ name: TickName; hint?: string; work: ImportWork }>) {
  const { t } = useTranslation()
  return (
    <Checkbox
      checked={work.choices[name]}
      disabled={work.isBusy}
      onChange={({ currentTarget }) => work.choose({ [name]: currentTarget.checked })}
    >
      {t(`imports.${name}`)}
      {hint && <div className={Classes.TEXT_MUTED}>{hint}</div>}
    </Checkbox>
  )
}

type EitherName = 'options' | 'names' | 'root'

const values = {
  options: { all: 'imports.options.all', prices: 'imports.options.prices', none: 'imports.options.none' },
  names: { rename: 'imports.names.rename', skip: 'imports.names.skip' },
  root: { admin: 'imports.root.admin', mine: 'imports.root.mine' },
} as const satisfies { [N in EitherName]: Record<ImportChoices[N], TextKey> }
const labels = { options: 'imports.options', names: 'imports.names', root: 'imports.root' } as const

function Either({ name, work }: Readonly<{ name: EitherName; work: ImportWork }>) {
  const { t } = useTranslation()
  return (
    <RadioGroup
      label={t(labels[name])}
      selectedValue={work.choices[name]}
      disabled={work.isBusy}
      onChange={({ currentTarget }) => work.choose({ [name]: currentTarget.value })}
    >
      {Object.entries(values[name]).map(([value, label]) => (
        <Radio key={value} value={value} label={t(label)} />
      ))}
    </RadioGroup>
  )
}

/** Settings that the other gateway had in its environment; not stored in the browser. */
function Variables({ names, work }: Readonly<{ names: readonly string[]; work: ImportWork }>) {
  const { t } = useTranslation()
  const id = useId()
  const { secrets } = work.choices
  if (names.length === 0) return null
  return (
    <fieldset className="import-page-variables">
      <legend>{t('imports.variables')}</legend>
      <p className={Classes.TEXT_MUTED}>{t('imports.variablesHint')}</p>
      {names.map((name) => (
        <FormGroup key={name} label={name} labelFor={`${id}-${name}`}>
          <InputGroup
            id={`${id}-${name}`}
            type="password"
            autoComplete="off"
            value={secrets[name] ?? ''}
            disabled={work.isBusy}
            onValueChange={(value) => work.choose({ secrets: { ...secrets, [name]: value } })}
          />
        </FormGroup>
      ))}
    </fieldset>
  )
}
