import { hash } from 'node:crypto'
import { moneyText } from '../../shared/money.ts'
import { isSameSecret } from '../base/ids.ts'
import type { Settings } from '../settings/settings.ts'
import type { TopUpRow } from '../store/ledger/top-ups.ts'

type EpayMerchant = Readonly<{ address: string; id: string; key: string }>

/** Returns the merchant once it is fully configured; until then nothing is sold and no notice accepted. */
export function merchantIn(settings: Pick<Settings, 'get'>): EpayMerchant | undefined {
  const [address, id, key] = [settings.get('PayAddress'), settings.get('EpayId'), settings.get('EpayKey')]
  return address === '' || id === '' || key === '' ? undefined : { address, id, key }
}

/**
 * Whether a merchant can send payment notices: only to a configured server address, since the gateway itself listens on
 * this machine or in a private network (docs/reference/wallet.md#orders).
 */
export const canSend = (settings: Pick<Settings, 'get'>): boolean => settings.get('ServerAddress') !== ''

/**
 * The signature of the Epay protocol (docs/reference/wallet.md#signatures): all non-empty fields except the signature,
 * sorted by name, as unescaped `name=value` joined by `&`, followed by the key; MD5 in lower-case hexadecimal.
 */
export function signatureOf(fields: Readonly<Record<string, string>>, key: string): string {
  const signed = Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return hash('md5', signed + key, 'hex')
}

/** Whether the merchant signed these fields, with MD5 or without stating a method; an empty key never verifies. */
export const isSigned = (fields: Readonly<Record<string, string>>, key: string): boolean =>
  key !== '' &&
  (fields.sign_type || 'MD5').toUpperCase() === 'MD5' &&
  isSameSecret(fields.sign ?? '', signatureOf(fields, key))

/** The paths of the merchant's notices, and of its redirect back. */
export const NOTIFY_PATH = '/api/user/epay/notify'
export const RETURN_PATH = '/log'

export type PaymentForm = Readonly<{ url: string; fields: Readonly<Record<string, string>> }>

export function formOf(
  order: TopUpRow,
  merchant: EpayMerchant,
  settings: Pick<Settings, 'get' | 'serverAddress'>,
): PaymentForm {
  const server = settings.serverAddress()
  const callback = settings.get('CustomCallbackAddress') || server
  const fields = {
    pid: merchant.id,
    type: typeOf(order.payment_method),
    out_trade_no: order.trade_no,
    notify_url: callback + NOTIFY_PATH,
    return_url: server + RETURN_PATH,
    name: `TUC${settings.get('DisplayInCurrencyEnabled') ? order.amount : order.quota}`,
    money: moneyText(order.money_cents),
    device: 'pc',
  }
  const signed = { ...fields, sign_type: 'MD5', sign: signatureOf(fields, merchant.key) }
  return { url: `${merchant.address}/submit.php`, fields: signed }
}

/**
 * Translates the names that related gateways use for the two common methods to Epay's names; returns other names
 * unchanged.
 */
function typeOf(method: string): string {
  if (method === 'zfb') return 'alipay'
  return method === 'wx' ? 'wxpay' : method
}
