import './connect-client.css'
import { Callout, Card, Classes, FormGroup } from '@blueprintjs/core'
import { Cube } from '@blueprintjs/icons'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { firstCall, type LastCall } from '../../../shared/api/first-call.ts'
import { type TokenView, token } from '../../../shared/api/token.ts'
import { user as userCalls } from '../../../shared/api/user.ts'
import { role, tokenStatus } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { nextEvent } from '../../api/next-event.ts'
import { notePoll, polls } from '../../api/polls.ts'
import { useUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
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
import { WaitingCard } from './waiting-card.tsx'

/** From an address and a key to a client whose calls arrive (docs/reference/design.md#first-five-minutes). */
export default function ConnectClientPage() {
  const { t } = useTranslation()
  const models = useCall(userCalls.models, {})
  const first = usualModelOf(models.data ?? [])
  const token = useFirstToken(first !== undefined)
  const call = useLastCall()
  const connect = window.desktop?.connect
  const error = [models, token].find(({ isLoadingError }) => isLoadingError)?.error
  const retry = () => void Promise.all([models.refetch(), first !== undefined && token.refetch()])
  // Rendered all at once, to avoid a layout shift.
  const isReady = models.data && (first === undefined || (token.data && call !== undefined))
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
      {models.data && first !== undefined && token.data && call !== undefined && (
        <Filled models={models.data} first={first} token={token.data} call={call} />
      )}
    </PageFrame>
  )
}

type FilledProps = Readonly<{ models: readonly string[]; first: string; token: TokenView; call: LastCall | null }>

function Filled({ models, first, token, call }: FilledProps) {
  const { t } = useTranslation()
  const address = useAddress()
  const [chosen, setChosen] = useStored('client-model', modelName)
  const key = `sk-${token.key}`
  const maskedKey = `sk-${token.key.slice(0, 4)}…${token.key.slice(-4)}`
  const model = models.find((one) => one === chosen) ?? first
  return (
    <>
      <WaitingCard call={call} />
      <Card className="client-facts">
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

/** Identifies the token for the first client. */
const tokenName = 'first client'

/**
 * The token for the first client: the existing one if it is enabled, else a new one without expiry or limit. Created
 * only once `isWanted`.
 */
function useFirstToken(isWanted: boolean): UseQueryResult<TokenView> {
  const { default_use_auto_group: isAutoGroup } = useStatus()
  return useQuery({
    queryKey: ['token', 'first-client'],
    enabled: isWanted,
    queryFn: async ({ signal }) => {
      const found = await send(token.search, { query: { keyword: tokenName, token: '' } }, { quiet: true, signal })
      const known = found.find(({ name, status }) => name === tokenName && status === tokenStatus.enabled)
      const group = isAutoGroup ? 'auto' : ''
      return known ?? send(token.create, { body: { name: tokenName, unlimited_quota: true, group } }, { quiet: true })
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const retryAfterMs = 3000
/** Minimum time between displayed calls, in milliseconds. */
const pauseMs = 1000

/**
 * The newest external call: the last known one, then events while the page is open. Null for none, undefined while
 * unknown. Reconnects if the connection is lost.
 */
function useLastCall(): LastCall | null | undefined {
  const known = useCall(firstCall.last, {}, { quiet: true })
  const { data: newCall } = useQuery({
    queryKey: ['first-call', 'next'],
    queryFn: async ({ signal }) => {
      let event: LastCall | undefined
      while (!event) {
        notePoll()
        event = await nextEvent(firstCall.wait, { signal, isPoll: true })
      }
      return event
    },
    retry: true,
    retryDelay: () => polls.pause(retryAfterMs),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data ? polls.pause(pauseMs) : false),
    refetchIntervalInBackground: true,
  })
  return newCall ?? (known.isLoadingError ? null : known.data)
}
