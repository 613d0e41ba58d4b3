import type { backups as texts } from '../en/backups.ts'

export const backups = {
  'backups.title': '备份',
  'backups.intro': '经过校验的数据库副本。',
  'backups.kept':
    '每晚自动备份并校验。最新的 {n} 份和所有手动备份保留在 {folder}。只有使用数据密钥 {id} 才能恢复备份，请导出密钥并另行保存。',
  'backups.noneKept':
    '仅手动备份（BACKUP_KEEP 为 0），存放在 {folder}。只有使用数据密钥 {id} 才能恢复备份，请导出密钥并另行保存。',
  'backups.none': '还没有备份。',
  'backups.make': '立即备份',
  'backups.made': '已备份：{name}',
  'backups.exportKey': '导出数据密钥',
  'backups.size': '{mb} MB',
  'backups.verified': '已校验',
  'backups.unverified': '未校验',
  'backups.differs': '不一致的余额：{n}',
  'backups.otherKey': '需要密钥 {id}',
  'backups.by.schedule': '定时',
  'backups.by.person': '手动',
  'backups.by.unknown': '未知',
  'backups.restore': '恢复',
  'backups.restoreOf': '恢复 {at} 的备份',
  'backups.restoreQuestion': '恢复 {at} 的备份？',
  'backups.restoreVerb': '下次启动时恢复',
  'backups.restoreHint':
    '备份会立即校验，并在 Switchyard 下次启动时替换数据库。备份之后发生的内容将不在数据库中：扣费、充值、新账户和设置。当前的数据库会保留在数据目录中，所有人都需要重新登录。',
  'backups.removeOf': '删除 {at} 的备份',
  'backups.removeQuestion': '删除 {at} 的备份？',
  'backups.removeHint': '此操作无法撤销。',
  'backups.decided': '下次启动时将恢复备份',
  'backups.decidedHint': '请重启 Switchyard 以完成恢复。在此之前发生的内容不会保留在数据库中。',
  'backups.unreadable': '有待进行的恢复，但无法确定是哪个备份',
  'backups.unreadableHint':
    '数据目录中的 restore.json 已损坏，Switchyard 将无法启动。请先保留当前数据库；如仍需恢复，再重新选择备份。',
  'backups.keepDatabase': '保留当前数据库',
  'backups.keyHint':
    '数据密钥用于打开备份中的服务商密钥和密码。密钥文件只能用口令打开：请妥善保存两者，且不要放在同一处。',
  'backups.password': '您的密码',
  'backups.passwordHint': '账户没有密码时留空',
  'backups.passphrase': '口令',
  'backups.passphraseHint': '至少 {min} 个字符。口令无法找回。',
  'backups.passphraseShort': '请输入至少 {min} 个字符',
  'backups.again': '再次输入口令',
  'backups.mismatch': '两次输入的口令不一致',
  'backups.saveKey': '保存密钥文件',
  'backups.keySaved': '已保存：{name}',
} satisfies Record<keyof typeof texts, string>
