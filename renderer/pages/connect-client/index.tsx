import './connect-client.css'
import { Button, Callout, Card, Classes, FormGroup } from '@blueprintjs/core'
import { Cube, Plus } from '@blueprintjs/icons'
import * as z from 'zod/mini'
import type { TokenView } from '../../../shared/api/token.ts'
import { user as userCalls } from '../../../shared/api/user.ts'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { useStored } from '../../api/stored.ts'
import { useAddress } from '../../api/use-address.ts'
import { useCall } from '../../api/use-call.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { Select } from '../../components/select.tsx'
import { usualModelOf } from '../../components/usual-model.ts'
import { useTranslation } from '../../translation.ts'
import { Examples } from './examples.tsx'
import { MovedPrograms } from './set-up/moved-programs.tsx'
import { type LastRequest, useLastRequest } from './use-last-request.ts'
import { type Tokens, useTokens } from './use-tokens.ts'
import { WaitingCard } from './waiting-card.tsx'

/** From an address and a key to a client whose calls arrive (docs/reference/design.md#first-five-minutes). */
export default function ConnectClientPage() {
  const { t } = useTranslation()
  const models = useCall(userCalls.models, {})
  const first = usualModelOf(models.data ?? [])
  const tokens = useTokens(first !== undefined)
  const { token } = tokens
  const last = useLastRequest(token?.id)
  const connect = window.desktop?.connect
  const error = [models, tokens.first].find(({ isLoadingError }) => isLoadingError)?.error
  const retry = () => void Promise.all([models.refetch(), first !== undefined && tokens.first.refetch()])
  const isShown = token && (last || tokens.hasChosen)
  // Rendered all at once, to avoid a layout shift.
  const isReady = models.data && (first === undefined || isShown)
  return (
    <PageFrame title={t('page.connectClient')}>
      <p className={`client-intro ${Classes.TEXT_MUTED}`}>
        {t('client.intro')}{' '}
        <a href="/api/docs" target="_blank" rel="noreferrer">
          {t('client.apiDocs')}
        </a>
      </p>
      {connect && <MovedPrograms connect={connect} />}
      {error && (
        <Card>
          <FailedState message={error.message} onRetry={retry} />
        </Card>
      )}
      {!error && !isReady && (
        <Card className={`client-loading ${Classes.SKELETON}`} role="status" aria-label={t('state.loading')} />
      )}
      {models.data && first === undefined && <NoModel />}
      {models.data && first !== undefined && token && isShown && (
        <Filled models={models.data} first={first} tokens={tokens} token={token} last={last} />
      )}
    </PageFrame>
  )
}

type FilledProps = Readonly<{
  models: readonly string[]
  first: string
  tokens: Tokens
  token: TokenView
  last: LastRequest | undefined
}>

function Filled({ models, first, tokens, token, last }: FilledProps) {
  const { t } = useTranslation()
  const address = useAddress()
  const [chosen, setChosen] = useStored('client-model', modelName)
  const key = `sk-${token.key}`
  const maskedKey = `sk-${token.key.slice(0, 4)}…${token.key.slice(-4)}`
  const model = models.find((one) => one === chosen) ?? first
  return (
    <>
      <WaitingCard last={last} />
      <Card className="client-facts">
        <TokenField tokens={tokens} />
        <FormGroup label={t('client.address')}>
          <CopyValue value={address} label={t('client.copyAddress')} />
        </FormGroup>
        <FormGroup label={t('client.key')}>
          <CopyValue value={key} shown={maskedKey} label={t('client.copyKey')} />
        </FormGroup>
        <FormGroup label={t('client.model')} labelFor="client-model">
          <Select
            id="client-model"
            value={model}
            options={[...models]}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        </FormGroup>
      </Card>
      <Examples target={{ address, key, model }} maskedKey={maskedKey} />
    </>
  )
}

const modelName = z.string()

/** Selects or adds the token used in the examples, so that each program can have its own. */
function TokenField({ tokens: { all, token, isAdding, choose, add } }: { tokens: Tokens }) {
  const { t } = useTranslation()
  return (
    <FormGroup label={t('client.token')} labelFor="client-token">
      <div className="client-token">
        <Select
          id="client-token"
          value={token?.id}
          options={all.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        />
        <Button
          icon={<Plus />}
          text={t('client.newToken')}
          title={t('client.newTokenHint')}
          loading={isAdding}
          onClick={add}
        />
      </div>
    </FormGroup>
  )
}

/** No model can be called yet: administrators get a link to add one, others are told whom to contact. */
function NoModel() {
  const { t } = useTranslation()
  const isAdmin = (useUser()?.role ?? 0) >= role.admin
  if (!isAdmin) return <Callout intent="warning">{t('client.noModelAsk')}</Callout>
  return (
    <Card>
      <BlankState
        icon={<Cube size={48} />}
        title={t('client.noModel')}
        description={t('client.noModelHint')}
        action={<LinkButton to="/connect/provider" text={t('page.connectProvider')} intent="primary" isFilled />}
      />
    </Card>
  )
}
