import { Button, Classes, H3, type Intent } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { LocalFinding } from '../../../shared/api/local-models.ts'
import { byteSize } from '../../components/byte-size.ts'
import { Form } from '../../components/form/form.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { useTranslation } from '../../translation.ts'
import { addressLabel, findingLabel } from './program-label.ts'
import type { Search } from './use-search.ts'

type FindingProps = Readonly<{ finding: LocalFinding; search: Search }>

export function FindingItem({ finding, search }: FindingProps) {
  const { t } = useTranslation()
  const { state, models, left, channel_id: channelId, channel_name: channelName } = finding
  const name = findingLabel(finding)
  const isAdded = channelId > 0
  const canAdd = state === 'found' && !isAdded && models.length > 0
  return (
    <li className="local-models-item">
      <div className="local-models-what">
        <H3 className="local-models-name">{name}</H3>
        <code className={Classes.CODE}>{addressLabel(finding.address)}</code>
        <StatusTag
          intent={isAdded && state === 'found' ? 'success' : intents[state]}
          text={t(isAdded && state === 'found' ? 'localModels.state.added' : `localModels.state.${state}`)}
        />
      </div>
      <div className="local-models-more">
        <About finding={finding} />
        {isAdded && (
          <>
            <p>{t('localModels.about.channel')}</p>
            <Link to={`/channel/edit/${channelId}`}>{channelName}</Link>
          </>
        )}
        {models.length > 0 && <ModelNames models={models} />}
        {left > 0 && <p className={Classes.TEXT_MUTED}>{t('localModels.about.left', { n: left })}</p>}
        {state === 'needs_key' && !isAdded && <KeyForm finding={finding} search={search} />}
      </div>
      {canAdd && (
        <Button
          className="local-models-act"
          intent="primary"
          icon={<Plus />}
          text={t('localModels.add')}
          aria-label={t('localModels.addOf', { name })}
          disabled={search.isBusy}
          onClick={() => search.add(finding)}
        />
      )}
    </li>
  )
}

const intents = {
  found: 'primary',
  needs_key: 'warning',
  offline: 'none',
  silent: 'none',
  other: 'none',
} as const satisfies Record<LocalFinding['state'], Intent>

function About({ finding: { state, status, models } }: { finding: LocalFinding }) {
  const { t } = useTranslation()
  if (state === 'found') return models.length === 0 && <p>{t('localModels.about.none')}</p>
  if (state === 'other' && status > 0) return <p>{t('localModels.about.status', { status })}</p>
  return <p>{t(`localModels.about.${state}`)}</p>
}

function KeyForm({ finding, search }: FindingProps) {
  const { t } = useTranslation()
  const [key, setKey] = useState('')
  return (
    <Form
      className="local-models-key"
      isBusy={search.isBusy}
      isDirty={key !== ''}
      onSubmit={() => {
        if (key !== '') search.probeAddress(finding.address, key)
      }}
    >
      <PasswordField
        label={t('localModels.keyOf', { name: findingLabel(finding) })}
        name="key"
        value={key}
        onValue={setKey}
        autoComplete="new-password"
      />
      <Button type="submit" text={t('localModels.try')} disabled={key === '' || search.isBusy} />
    </Form>
  )
}

const SHOWN = 8

/** A program's models with their sizes if known, and which of them other channels have, too. */
function ModelNames({ models }: Pick<LocalFinding, 'models'>) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? models : models.slice(0, SHOWN)
  return (
    <>
      <p>{t('localModels.models', { n: models.length })}</p>
      <ul className="local-models-names">
        {shown.map(({ name, bytes, is_elsewhere: isElsewhere }) => (
          <li key={name}>
            <span>{name}</span>
            {bytes > 0 && <span className={Classes.TEXT_MUTED}>{byteSize(bytes)}</span>}
            {isElsewhere && <span className={Classes.TEXT_MUTED}>{t('localModels.elsewhere')}</span>}
          </li>
        ))}
      </ul>
      {shown.length < models.length && (
        <Button variant="minimal" text={t('localModels.all')} onClick={() => setWhole(true)} />
      )}
    </>
  )
}
