/** Texts that pages beyond the first view share: loaded as one file (renderer/i18n.ts). */
export { account } from '../../../shared/messages/zh/account.ts'
export { operation } from '../../../shared/messages/zh/operation.ts'
