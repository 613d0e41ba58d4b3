/** Backups, restores and the data key, in English (docs/reference/backup.md). */
export const backup = {
  'job.name.backup': 'Backup',
  'job.about.backup':
    'Copies and verifies the database every night. BACKUP_KEEP sets how many of these backups are retained.',
  'job.backed_up': 'Backup made: {name}, {mb} MB',
  'backup.missing': 'This backup does not exist',
  'backup.running': 'A backup is already being made',
  'backup.decision_unreadable':
    'A restore is pending, but restore.json in the data folder cannot be read. First keep the database as it is: on the background jobs page, or by removing that file.',
  'backup.restoring': 'A backup is being checked for a restore. Try again in a moment.',
  'backup.postgres':
    'This installation keeps its data in PostgreSQL. Back it up with pg_dump, and restore it with pg_restore.',
  'backup.no_room': 'There is not enough free space to copy the database: {need} MB are needed, {free} MB are free.',
  'backup.not_written': 'The backup could not be written: {said}. Nothing incomplete was left behind.',
  'backup.bad_unreadable': 'The file is not a whole SQLite database: {said}',
  'backup.bad_foreign': 'The file is not a Switchyard database',
  'backup.bad_newer':
    'The backup was made by a newer release: its schema is version {version}, and this release knows up to {latest}.',
  'backup.bad_older':
    'The backup was made by an older release (schema {version}, now {latest}). Stop the gateway and restore it with the command “{command}”.',
  'backup.bad_altered': 'The file has changed since the backup was made: its checksum is another one',
  'backup.bad_books': 'Balances in the backup that differ from their ledger: {n}',
  'backup.bad_key':
    'The backup needs the data key {needed}, and the key here is {own}. Bring the key file that was exported with it.',
  'backup.passphrase_short': 'The passphrase must have at least {min} characters',
  'backup.key_file': 'The file is not a Switchyard key file',
  'backup.key_wrong': 'The passphrase is wrong, or the key file has been changed',
  'log.backup_made': '{actor} made the backup {name}',
  'log.backup_removed': '{actor} deleted the backup {name}',
  'log.restore_decided': '{actor} chose the backup {name} to be restored at the next start',
  'log.restore_cancelled': '{actor} cancelled the restore of the backup {name}',
  'log.key_exported': '{actor} exported the data key under a passphrase',
  'log.restore_cleared': '{actor} removed the decision on a restore, which could not be read',
  'log.startup_page': 'A user of the desktop startup page on this machine',
  'log.restored': '{actor} restored the backup {name}. Entries before this one are from the backup.',
}
