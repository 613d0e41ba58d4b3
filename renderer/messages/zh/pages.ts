export { account } from '../../../shared/messages/zh/account.ts'
export { operation } from '../../../shared/messages/zh/operation.ts'
