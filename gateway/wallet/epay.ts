import { hash } from 'node:crypto'
import { moneyText } from '../../shared/money.ts'
import { isSameSecret } from '../base/ids.ts'
import type { Settings } from '../settings/settings.ts'
import type { TopUpRow } from '../store/top-ups.ts'

/** A merchant of the Epay protocol, as the settings know it. */
type EpayMerchant = Readonly<{ address: string; id: string; key: string }>

/** The merchant, once all of it is set; nothing is sold and no notice is believed before. */
export function merchantIn(settings: Pick<Settings, 'get'>): EpayMerchant | undefined {
  const [address, id, key] = [settings.get('PayAddress'), settings.get('EpayId'), settings.get('EpayKey')]
  return address === '' || id === '' || key === '' ? undefined : { address, id, key }
}

/**
 * Whether a merchant can tell of payments: by the address that the operator has set. What the gateway listens on is one of this
 * machine or of a network of its own (docs/reference/wallet.md#orders).
 */
export const canBeTold = (settings: Pick<Settings, 'get'>): boolean => settings.get('ServerAddress') !== ''

/**
 * The signature of the Epay protocol (docs/reference/wallet.md#signatures): all that is not empty but the signature itself,
 * ordered by name, as `name=value` joined by `&` as it is, with the key behind it; MD5 in small hexadecimal letters.
 */
export function signatureOf(fields: Readonly<Record<string, string>>, key: string): string {
  const signed = Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return hash('md5', signed + key, 'hex')
}

/** Whether the merchant has signed these fields, by MD5 or without a word of how; an empty key signs nothing. */
export const isSigned = (fields: Readonly<Record<string, string>>, key: string): boolean =>
  key !== '' &&
  (fields.sign_type || 'MD5').toUpperCase() === 'MD5' &&
  isSameSecret(fields.sign ?? '', signatureOf(fields, key))

/** Where the merchant's notices come to, and where it leads people back to. */
export const NOTIFY_PATH = '/api/user/epay/notify'
export const RETURN_PATH = '/log'

/** A form to be posted to the merchant. */
export type PaymentForm = Readonly<{ url: string; fields: Readonly<Record<string, string>> }>

/** What the merchant is asked to have paid for an order. */
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

/** The words of the family for the two methods that everybody has; others go as they are. */
function typeOf(method: string): string {
  if (method === 'zfb') return 'alipay'
  return method === 'wx' ? 'wxpay' : method
}
