import type { ImportChoices } from '../../shared/api/import.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import { channelStatus } from '../../shared/enums.ts'
import { refuse } from '../base/errors.ts'
import { mapYielding } from '../base/fair-yield.ts'
import { sha256 } from '../base/ids.ts'
import { numberIn, objectIn, textIn } from '../base/json/json.ts'
import { blankChannel } from '../channels/admin/editor.ts'
import { plannedChannel } from './channel-columns.ts'
import type { PlanDeps } from './database-plan.ts'
import type { Deployment, LitellmFile } from './litellm-file.ts'
import { litellmOptions } from './litellm-options.ts'
import { providerOf } from './litellm-providers.ts'
import { markOf } from './marks.ts'
import { type ChannelColumns, type ImportPlan, type ImportTally, type PlannedChannel, tallyOf } from './plan.ts'
import { createRemarks, type Remarks } from './remarks.ts'

/** Deployments with the same provider account, which become one channel. */
type Account = {
  readonly label: string
  readonly columns: ChannelColumns
  readonly key: string
  /** Identifies the key: its fingerprint, or the variable it is in. */
  readonly keySource: string
  readonly isReadable: boolean
  /** Maps model names here to the provider's names. */
  readonly models: Map<string, string>
}

/**
 * Plans the import of a LiteLLM config.yaml: channels, prices and other settings with a counterpart. Writes nothing.
 */
export async function litellmPlan(
  file: LitellmFile,
  { known, choices, now, options, maxRows }: Omit<PlanDeps, 'db' | 'onProgress'>,
): Promise<ImportPlan> {
  const remarks = createRemarks()
  const channelTally = tallyOf('channels', file.deployments.length)
  const missing = new Set<string>()
  const byKind = new Map<string, Account[]>()
  const taking = { byKind, values: variablesOf(file, choices), missing, remarks, tally: channelTally, now }
  await mapYielding(file.deployments, (deployment) => {
    if (!choices.channels) channelTally.left_out += 1
    else takeDeployment(deployment, taking)
  })
  const accounts = [...byKind.values()].flat()
  await takeAliases(file, accounts, maxRows)
  const finishing = { remarks, tally: channelTally, known, seen: new Map<string, number>() }
  const channels = (await mapYielding(accounts, (account) => finish(account, finishing))).flat()
  const optionTally = tallyOf('options')
  const planned = litellmOptions(file, {
    ...options,
    groups: known.groups,
    choices,
    remarks,
    tally: optionTally,
    options: [],
  })
  reportRest(file, remarks)
  return {
    origin: 'litellm',
    source: sha256('litellm'),
    users: [],
    marks: [],
    tokens: [],
    channels,
    options: planned,
    redemptions: [],
    topUps: [],
    known: new Map(),
    knownTokens: new Map(),
    knownChannels: new Map(),
    logs: { follow: false, after: 0 },
    counts: [channelTally, optionTally],
    remarks,
    variables: [...missing].sort(),
  }
}

type Taking = Readonly<{
  /** By fields and key: the accounts that differ only in their models. */
  byKind: Map<string, Account[]>
  values: ReadonlyMap<string, string>
  missing: Set<string>
  remarks: Remarks
  tally: ImportTally
  now: number
}>

/** Environment variables: those the user entered, then those in the file. */
function variablesOf({ variables }: LitellmFile, { secrets }: ImportChoices): ReadonlyMap<string, string> {
  const own = Object.entries(variables).flatMap(([name, value]) =>
    typeof value === 'string' && !value.startsWith(ENVIRONMENT) ? [[name, value] as const] : [],
  )
  return new Map([...own, ...Object.entries(secrets).filter(([, value]) => value.trim() !== '')])
}

const ENVIRONMENT = 'os.environ/'

function takeDeployment({ name, params, info }: Deployment, taking: Taking) {
  const { byKind, values, missing, remarks, tally, now } = taking
  const model = textIn(params.model)?.trim() ?? ''
  const leaveOut = (key: 'import.provider' | 'import.wildcard') => {
    tally.left_out += 1
    remarks.add({ table: 'channels', row: name || model || '-', outcome: 'left_out', key, params: { model } })
  }
  if (name === '' || name.includes('*') || model.includes('*')) return leaveOut('import.wildcard')
  const provider = providerOf(model, textIn(params.custom_llm_provider))
  if (!provider) return leaveOut('import.provider')
  let isReadable = true
  const value = (field: string): string => {
    const text = textIn(params[field])?.trim() ?? ''
    if (!text.startsWith(ENVIRONMENT)) return text
    const variable = text.slice(ENVIRONMENT.length)
    const variableValue = values.get(variable)
    if (variableValue === undefined) {
      missing.add(variable)
      isReadable = false
    }
    return variableValue?.trim() ?? ''
  }
  const { type } = provider
  const key = keyOf(type, value, params)
  const columns: ChannelColumns = {
    ...blank,
    type,
    name: `${provider.name}`,
    base_url: value('api_base') || value('base_url') || provider.base_url,
    other: otherOf(type, value),
    openai_organization: value('organization'),
    weight: Math.max(bounded(numberIn(params.weight) ?? numberIn(params.rpm)), 0),
    priority: -bounded(numberIn(params.order)),
    created_time: now,
  }
  const keySource = key === '' ? String(params.api_key ?? '') : sha256(key)
  const kind = JSON.stringify([accountFields.map((field) => columns[field]), keySource])
  const accounts = byKind.get(kind) ?? []
  byKind.set(kind, accounts)
  const account = accounts.find(({ models }) => !models.has(name))
  if (account) account.models.set(name, provider.upstream)
  else {
    const models = new Map([[name, provider.upstream]])
    accounts.push({ label: `${provider.name} · ${name}`, columns, key, keySource, isReadable, models })
  }
  reportWeight({ name, params }, columns.weight, remarks)
  reportUnused({ name, params, info }, remarks)
}

/** Reports that a request limit in LiteLLM becomes a weight here. */
function reportWeight({ name, params }: Pick<Deployment, 'name' | 'params'>, weight: number, remarks: Remarks): void {
  const rpm = numberIn(params.rpm)
  if (rpm === undefined || numberIn(params.weight) !== undefined) return
  remarks.add({ table: 'channels', row: name, outcome: 'changed', key: 'import.rpm_weight', params: { rpm, weight } })
}

/** Clamps a number to the range of weights and priorities, in both directions. */
const bounded = (value = 0): number => Math.min(Math.max(Math.trunc(value), -MAX), MAX)
const MAX = 1_000_000

/** The fields that distinguish accounts of a provider. */
const accountFields = ['type', 'base_url', 'other', 'openai_organization', 'weight', 'priority'] as const

const blank: ChannelColumns = {
  ...blankChannel,
  tag: 'litellm',
  created_time: 0,
  test_time: 0,
  response_time: 0,
  balance: 0,
  balance_updated_time: 0,
}

function keyOf(type: number, value: (field: string) => string, params: Deployment['params']): string {
  if (type === channelTypes.aws.id) {
    const own = [value('aws_access_key_id'), value('aws_secret_access_key'), value('aws_region_name') || 'us-east-1']
    return own[0] === '' ? '' : own.join('|')
  }
  if (type !== channelTypes.vertex.id) return value('api_key')
  const { vertex_credentials: credentials } = params
  const text =
    typeof credentials === 'object' && credentials !== null ? JSON.stringify(credentials) : value('vertex_credentials')
  // A path refers to a file that is not available here.
  return text.startsWith('{') ? text : ''
}

function otherOf(type: number, value: (field: string) => string): string {
  if (type === channelTypes.vertex.id) return value('vertex_location') || 'global'
  if (type === channelTypes.azure.id) return value('api_version')
  return ''
}

/** `model_group_alias`: alternative names of models, each offered by all accounts that have the model. */
async function takeAliases(
  { router, litellm }: LitellmFile,
  accounts: readonly Account[],
  maxRows: number,
): Promise<void> {
  let offers = accounts.reduce((sum, { models }) => sum + models.size, 0)
  const aliases = [router.model_group_alias, litellm.model_alias_map].flatMap((map) => Object.entries(objectIn(map)))
  await mapYielding(aliases, ([alias, entry]) => {
    // LiteLLM allows either form.
    const target = textIn(entry) ?? textIn(objectIn(entry).model)
    if (target === undefined) return
    for (const { models } of accounts) {
      const upstream = models.get(target)
      if (upstream === undefined || models.has(alias)) continue
      models.set(alias, upstream)
      offers += 1
    }
    if (offers > maxRows) throw refuse('invalid', 'import.too_many', { limit: maxRows, table: 'channels' })
  })
}

type Finishing = Readonly<{
  remarks: Remarks
  tally: ImportTally
  known: PlanDeps['known']
  /** The number of accounts of each kind so far. */
  seen: Map<string, number>
}>

function finish(account: Account, { remarks, tally, known, seen }: Finishing): PlannedChannel[] {
  const { label, columns, key, keySource, isReadable, models } = account
  const names = [...models.keys()]
  const kind = [accountFields.map((field) => columns[field]), keySource, names[0]]
  // Accounts with the same fields and key may offer the same model under different names of the provider; each account
  // becomes a channel.
  const number = seen.get(JSON.stringify(kind)) ?? 0
  seen.set(JSON.stringify(kind), number + 1)
  const mark = markOf('litellm', 'channel', JSON.stringify(number === 0 ? kind : [...kind, number]))
  const ownId = known.marks.get(mark)?.ownId
  if (ownId !== undefined && known.channels.has(ownId)) {
    tally.known += models.size
    return []
  }
  if (!isReadable) remarks.add({ table: 'channels', row: label, outcome: 'changed', key: 'import.variable' })
  const mapping = Object.fromEntries([...models].filter(([name, upstream]) => name !== upstream))
  const channel = plannedChannel(
    {
      theirId: 0,
      mark,
      label,
      key,
      used: 0,
      columns: {
        ...columns,
        name: label.slice(0, 100),
        models: names.join(','),
        model_mapping: Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping),
        status: isReadable ? channelStatus.enabled : channelStatus.disabled,
      },
    },
    remarks,
  )
  if (channel) tally.comes += models.size
  else tally.left_out += models.size
  return channel ? [channel] : []
}

const readFields = [
  'model',
  'api_key',
  'api_base',
  'base_url',
  'api_version',
  'organization',
  'weight',
  'order',
  'rpm',
  'custom_llm_provider',
  'aws_access_key_id',
  'aws_secret_access_key',
  'aws_region_name',
  'vertex_credentials',
  'vertex_location',
  'vertex_project',
  'input_cost_per_token',
  'output_cost_per_token',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
]

function reportUnused({ name, params }: Deployment, remarks: Remarks): void {
  const unused = Object.keys(params).filter((field) => !readFields.includes(field))
  if (unused.length === 0) return
  const fields = unused.join(', ')
  remarks.add({ table: 'channels', row: name, outcome: 'note', key: 'import.fields_unused', params: { fields } })
}

function reportRest({ litellm, router, general, others }: LitellmFile, remarks: Remarks): void {
  const used = ['num_retries', 'model_group_alias', 'model_alias_map', 'master_key']
  const rest = [litellm, router, general].flatMap((part) => Object.keys(part)).concat(others)
  for (const name of new Set(rest))
    if (!used.includes(name))
      remarks.add({ table: 'options', row: name, outcome: 'note', key: 'import.no_counterpart' })
  if ('master_key' in general)
    remarks.add({ table: 'tokens', row: 'master_key', outcome: 'note', key: 'import.master_key' })
}
