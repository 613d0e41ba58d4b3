/** Texts that pages beyond the first view share: loaded as one file (renderer/i18n.ts). */
export { account } from '../../../shared/messages/en/account.ts'
export { operation } from '../../../shared/messages/en/operation.ts'
