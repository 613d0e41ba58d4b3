import type { Context, Middleware } from 'koa'
import { orderStatus } from '../../../shared/enums.ts'
import { isPaymentPage } from '../../../shared/links.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Ranges } from '../../limits/client-address.ts'
import type { HttpRates } from '../../limits/http-rate.ts'
import type { Settings } from '../../settings/settings.ts'
import { NOTIFY_PATH, RETURN_PATH } from '../../wallet/epay.ts'
import type { NoticeAnswer, NoticeFields } from '../../wallet/payment-notice.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { readBytes } from '../middleware/body.ts'
import { localeOf } from '../middleware/envelope.ts'
import { isSecure, originOf } from '../middleware/origin.ts'
import { credentialsOf } from '../middleware/session.ts'
import { answerLimited, answerText } from '../static.ts'
import { formPage, paymentHeaders, statePage } from './payment-pages.ts'

type PaymentDeps = Readonly<{
  wallet: Pick<Wallet, 'orders' | 'notices'>
  settings: Pick<Settings, 'get'>
  rates: Pick<HttpRates, 'api' | 'web'>
  isTrustedProxy: Ranges
  log: Pick<Logger, 'error'>
}>

/** 16 KiB, in MiB: the size limit of a notice, which anyone may send. */
const MAX_NOTICE_MIB = 16 / 1024
const MAX_FIELDS = 64
const PAY_PREFIX = '/pay/'

/**
 * Payment requests outside the API: the merchant's notices, the page that leads to the merchant, and a page for
 * browsers that return from there without a login (docs/reference/wallet.md#notices). Passes on everything else.
 */
export function createPayment(deps: PaymentDeps): Middleware {
  return async (ctx, next) => {
    const path = ctx.path.endsWith('/') ? ctx.path.slice(0, -1) : ctx.path
    if (path === NOTIFY_PATH && (ctx.method === 'GET' || ctx.method === 'POST')) return takeNotice(ctx, deps)
    if (ctx.method !== 'GET') return next()
    if (isPaymentPage(path)) return showForm(ctx, path.slice(PAY_PREFIX.length), deps)
    const returned = path === RETURN_PATH && ctx.querystring !== '' ? fieldsIn(ctx.querystring) : undefined
    const isStranger = credentialsOf(ctx, isSecure(ctx, deps.isTrustedProxy)).session === undefined
    if (!returned?.out_trade_no || !isStranger || !deps.wallet.notices.isGenuine(returned)) return next()
    return showState(ctx, returned.out_trade_no, deps)
  }
}

async function takeNotice(ctx: Context, { wallet, rates, isTrustedProxy, log }: PaymentDeps): Promise<void> {
  let answer: NoticeAnswer = 'fail'
  try {
    const fields = await sentFields(ctx)
    const isGenuine = fields !== undefined && wallet.notices.isGenuine(fields)
    // Notices signed by the merchant are never limited; others are rate limited like all calls.
    const wait = isGenuine ? 0 : await rates.api(originOf(ctx, isTrustedProxy))
    if (wait > 0) return answerText(ctx, 429, answer, { 'Retry-After': String(wait) })
    answer = await wallet.notices.take(fields)
  } catch (error) {
    // The merchant repeats the notice until it is stored.
    log.error('a payment could not be credited', { requestId: ctx.state.requestId, error })
  }
  answerText(ctx, 200, answer, { 'X-Content-Type-Options': 'nosniff' })
}

/** The fields, from the query or a form; undefined if a name occurs twice, or the body is not a form. */
async function sentFields(ctx: Context): Promise<NoticeFields | undefined> {
  if (ctx.method === 'GET') return fieldsIn(ctx.querystring)
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = ctx.req.headers
  const isForm = type?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded'
  if (!isForm || encoding !== 'identity') return undefined
  const body = await readBytes(ctx, MAX_NOTICE_MIB).catch(() => undefined)
  return body && fieldsIn(body.toString())
}

function fieldsIn(text: string): NoticeFields | undefined {
  const entries = [...new URLSearchParams(text)]
  const names = new Set(entries.map(([name]) => name))
  return names.size === entries.length && names.size <= MAX_FIELDS ? Object.fromEntries(entries) : undefined
}

async function showForm(ctx: Context, tradeNo: string, deps: PaymentDeps): Promise<void> {
  const wait = await deps.rates.web(originOf(ctx, deps.isTrustedProxy))
  if (wait > 0) return answerLimited(ctx, wait)
  const found = await deps.wallet.orders.toPay(tradeNo)
  if (!found?.form) return showPage(ctx, deps, found?.status)
  ctx.set(paymentHeaders)
  ctx.type = 'html'
  ctx.body = formPage(localeOf(ctx), deps.settings.get('SystemName'), found.form)
}

async function showState(ctx: Context, tradeNo: string, deps: PaymentDeps): Promise<void> {
  const wait = await deps.rates.web(originOf(ctx, deps.isTrustedProxy))
  if (wait > 0) return answerLimited(ctx, wait)
  const found = await deps.wallet.orders.toPay(tradeNo)
  return showPage(ctx, deps, found?.status)
}

function showPage(ctx: Context, { settings }: PaymentDeps, status: string | undefined): void {
  const locale = localeOf(ctx)
  ctx.set(paymentHeaders)
  ctx.status = status === undefined ? 404 : 200
  ctx.type = 'html'
  ctx.body = statePage(locale, settings.get('SystemName'), formatMessage(locale, messageOf(status)))
}

function messageOf(status: string | undefined) {
  if (status === undefined) return 'pay.order_not_found'
  return status === orderStatus.paid ? 'pay.page_paid' : 'pay.page_waiting'
}
