import type { MessageKey } from './messages/en.ts'

/** Roles by name; a permission is "role at least n" (docs/reference/accounts.md#roles). A visitor is signed out. */
export const role = { visitor: 0, user: 1, admin: 10, root: 100 } as const
export type Role = (typeof role)[keyof typeof role]

/** Account states (docs/reference/accounts.md#roles); deactivation is in `DeletedAt`. */
export const userStatus = { active: 1, banned: 2 } as const

/** API token states (docs/reference/accounts.md#api-tokens); users toggle only between enabled and disabled. */
export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

/**
 * Channel states (docs/reference/channels.md#fields); users set enabled or disabled, the system sets enabled or
 * autoDisabled.
 */
export const channelStatus = { enabled: 1, disabled: 2, autoDisabled: 3 } as const
export type ChannelStatus = (typeof channelStatus)[keyof typeof channelStatus]

/** Redemption code states (docs/reference/tables.md#tables). */
export const redemptionStatus = { unused: 1, disabled: 2, used: 3 } as const

/** Order states (docs/reference/wallet.md#orders). */
export const orderStatus = { pending: 'pending', paid: 'success', expired: 'expired' } as const

/** Types of log entries (docs/reference/logs.md#rows). As a filter, 0 is all. */
export const logType = { topUp: 1, consume: 2, manage: 3, system: 4, error: 5 } as const

/** Drawing states (docs/reference/tables.md#tables). */
export const drawingStatus = {
  notStarted: 'NOT_START',
  submitted: 'SUBMITTED',
  running: 'IN_PROGRESS',
  success: 'SUCCESS',
  failure: 'FAILURE',
  modal: 'MODAL',
} as const

/** States of other tasks (docs/reference/tables.md#tables); empty before the first state. */
export const taskStatus = {
  submitting: '',
  notStarted: 'NOT_START',
  submitted: 'SUBMITTED',
  queued: 'QUEUED',
  running: 'IN_PROGRESS',
  success: 'SUCCESS',
  failure: 'FAILURE',
  unknown: 'UNKNOWN',
} as const

export const roleLabel = (value: number): MessageKey => roleLabels.get(value) ?? 'role.unknown'

/** The label of an account's state; a deactivated account is shown only as deactivated. */
export const userStatusLabel = (value: number, deactivated: boolean): MessageKey =>
  deactivated ? 'status.deactivated' : (userStatusLabels.get(value) ?? 'status.unknown')

/** An enabled token with model limits has its own label. */
export const tokenStatusLabel = (value: number, hasModelLimits: boolean): MessageKey =>
  value === tokenStatus.enabled && hasModelLimits
    ? 'status.enabledLimited'
    : (tokenStatusLabels.get(value) ?? 'status.unknown')

export const channelStatusLabel = (value: number): MessageKey => channelStatusLabels.get(value) ?? 'status.unknown'

export const redemptionStatusLabel = (value: number): MessageKey =>
  redemptionStatusLabels.get(value) ?? 'status.unknown'

export const orderStatusLabel = (value: string): MessageKey => orderStatusLabels.get(value) ?? 'status.unknown'

/** 0 is the filter for all. */
export const logTypeLabel = (value: number): MessageKey => logTypeLabels.get(value) ?? 'status.unknown'

export const drawingStatusLabel = (value: string): MessageKey => drawingStatusLabels.get(value) ?? 'status.unknown'

/** The name of a drawing's action, e.g. IMAGINE (docs/reference/tables.md#tables). */
export const drawingActionLabel = (value: string): MessageKey =>
  drawingActionLabels.get(value) ?? 'drawing.action.unknown'

/** The name of a submission's result; unknown codes count as not submitted. */
export const drawingSubmitLabel = (code: number): MessageKey =>
  drawingSubmitLabels.get(code) ?? 'drawing.submit.notSubmitted'

export const taskStatusLabel = (value: string): MessageKey => taskStatusLabels.get(value) ?? 'task.status.unknown'

/** The name of a task's action, e.g. MUSIC. */
export const taskActionLabel = (value: string): MessageKey => taskActionLabels.get(value) ?? 'task.action.unknown'

type Labels<Value> = ReadonlyMap<Value, MessageKey>

const roleLabels: Labels<number> = new Map<number, MessageKey>([
  [role.visitor, 'role.visitor'],
  [role.user, 'role.user'],
  [role.admin, 'role.admin'],
  [role.root, 'role.root'],
])

const userStatusLabels: Labels<number> = new Map<number, MessageKey>([
  [userStatus.active, 'status.activated'],
  [userStatus.banned, 'status.banned'],
])

const tokenStatusLabels: Labels<number> = new Map<number, MessageKey>([
  [tokenStatus.enabled, 'status.enabled'],
  [tokenStatus.disabled, 'status.disabled'],
  [tokenStatus.expired, 'status.expired'],
  [tokenStatus.exhausted, 'status.exhausted'],
])

const channelStatusLabels: Labels<number> = new Map<number, MessageKey>([
  [channelStatus.enabled, 'status.enabled'],
  [channelStatus.disabled, 'status.disabled'],
  [channelStatus.autoDisabled, 'status.autoDisabled'],
])

const redemptionStatusLabels: Labels<number> = new Map<number, MessageKey>([
  [redemptionStatus.unused, 'status.unused'],
  [redemptionStatus.disabled, 'status.disabled'],
  [redemptionStatus.used, 'status.used'],
])

const orderStatusLabels: Labels<string> = new Map<string, MessageKey>([
  [orderStatus.pending, 'status.pending'],
  [orderStatus.paid, 'status.paid'],
  [orderStatus.expired, 'status.expired'],
])

const logTypeLabels: Labels<number> = new Map<number, MessageKey>([
  [0, 'log.type.all'],
  [logType.topUp, 'log.type.topUp'],
  [logType.consume, 'log.type.consume'],
  [logType.manage, 'log.type.manage'],
  [logType.system, 'log.type.system'],
  [logType.error, 'log.type.error'],
])

const drawingStatusLabels: Labels<string> = new Map<string, MessageKey>([
  [drawingStatus.notStarted, 'drawing.status.notStarted'],
  [drawingStatus.submitted, 'drawing.status.queued'],
  [drawingStatus.running, 'drawing.status.running'],
  [drawingStatus.success, 'drawing.status.success'],
  [drawingStatus.failure, 'drawing.status.failed'],
  [drawingStatus.modal, 'drawing.status.modal'],
])

const drawingActionLabels: Labels<string> = new Map<string, MessageKey>([
  ['IMAGINE', 'drawing.action.imagine'],
  ['UPSCALE', 'drawing.action.upscale'],
  ['VARIATION', 'drawing.action.variation'],
  ['HIGH_VARIATION', 'drawing.action.highVariation'],
  ['LOW_VARIATION', 'drawing.action.lowVariation'],
  ['PAN', 'drawing.action.pan'],
  ['DESCRIBE', 'drawing.action.describe'],
  ['BLEND', 'drawing.action.blend'],
  ['UPLOAD', 'drawing.action.upload'],
  ['SHORTEN', 'drawing.action.shorten'],
  ['REROLL', 'drawing.action.reroll'],
  ['INPAINT', 'drawing.action.inpaint'],
  ['ZOOM', 'drawing.action.zoom'],
  ['CUSTOM_ZOOM', 'drawing.action.customZoom'],
  ['MODAL', 'drawing.action.modal'],
  ['SWAP_FACE', 'drawing.action.swapFace'],
  ['EDITS', 'drawing.action.edits'],
  ['VIDEO', 'drawing.action.video'],
])

/** Inherited names; proxies use 21 and 22 with another meaning (docs/reference/tasks.md#lists). */
const drawingSubmitLabels: Labels<number> = new Map<number, MessageKey>([
  [1, 'drawing.submit.submitted'],
  [21, 'drawing.submit.waiting'],
  [22, 'drawing.submit.duplicate'],
  [0, 'drawing.submit.notSubmitted'],
])

const taskStatusLabels: Labels<string> = new Map<string, MessageKey>([
  [taskStatus.submitting, 'task.status.submitting'],
  [taskStatus.notStarted, 'task.status.notStarted'],
  [taskStatus.submitted, 'task.status.inQueue'],
  [taskStatus.queued, 'task.status.queued'],
  [taskStatus.running, 'task.status.running'],
  [taskStatus.success, 'task.status.success'],
  [taskStatus.failure, 'task.status.failed'],
  [taskStatus.unknown, 'task.status.unknown'],
])

const taskActionLabels: Labels<string> = new Map<string, MessageKey>([
  ['MUSIC', 'task.action.music'],
  ['LYRICS', 'task.action.lyrics'],
])
