/** Messages about imports from another gateway (docs/operations.md#import). */
export const imports = {
  'import.not_sqlite': 'The file is not a SQLite database, or it is encrypted.',
  'import.truncated': 'The database is incomplete: the file is shorter than its declared size. Copy it again.',
  'import.damaged':
    'The database is damaged and cannot be read to the end. Repair it with the sqlite3 program (.recover), then try again.',
  'import.objects':
    'The database contains "{name}", which is a view, trigger, virtual table or computed column. A new-api or one-api database has none of these. Remove it from a copy, then try again.',
  'import.without_rows': 'The table {name} has no row numbers and cannot be read.',
  'import.slow': 'Reading the file took too long.',
  'import.not_sibling': 'This is not a new-api or one-api database: it has no users, tokens and channels.',
  'import.not_known':
    'The file was not recognized. Choose a SQLite database of new-api or one-api, or a LiteLLM config.yaml.',
  'import.bad_yaml': 'The file is not valid YAML. See line {line}.',
  'import.too_large': 'The file is larger than {limit}. Use the command "import" in a shell instead.',
  'import.too_many':
    'The file has more than {limit} rows in {table}. Stop the gateway and use the command "import" in a shell instead.',
  'import.no_space': 'There is not enough free disk space for the file.',
  'import.broken_off': 'The upload was interrupted. Try again.',
  'import.busy': 'An import is already in progress. Wait for it to finish, or cancel it.',
  'import.no_file': 'Choose a file first.',
  'import.no_report': 'This report is out of date. Run the check again.',
  'import.changed': 'The data has changed since the check. Nothing was imported. Run the check again.',
  'import.nothing': 'There is nothing to import.',
  'import.cancelled': 'The import was canceled. Nothing was written.',
  'import.failed': 'The import failed. Nothing was written. See the gateway log for details.',
  'import.history_failed':
    'The usage log could not be imported completely. Everything else was imported. Import the file again to continue.',
  'import.name_empty': 'The user has no name.',
  'import.name_taken': 'A user with this name already exists. The user and their tokens are left out.',
  'import.renamed': 'The name is already in use. The user becomes {name}.',
  'import.root_mine': 'The super administrator is not imported. Their tokens are added to your account.',
  'import.root_admin': 'The super administrator becomes an administrator.',
  'import.password': 'The password cannot be verified here. Set a new one.',
  'import.taken': '{column} is already used by another account and is left empty.',
  'import.beyond': '{column} is outside the allowed range and is limited to it.',
  'import.not_whole': '{column} is not a whole number and is imported as {taken}.',
  'import.source_unclear':
    'This database and one that was imported before have accounts with the same IDs, but too few of them agree or differ clearly enough to tell whether it is a later copy of that database or comes from another installation. Nothing was imported. If the super administrator is the only such account, choose not to import it and to add its tokens to yours. Otherwise import without users and API tokens, and create missing accounts by hand.',
  'import.user_unrecognized':
    'Another user with this ID was, or may have been, imported before. Neither the user nor their tokens are imported. Create the account by hand if it is missing.',
  'import.id_twice': 'Another row has the same ID.',
  'import.large': 'A field is larger than 1 MiB.',
  'import.owner_missing': 'Its user is not imported.',
  'import.key_unusable': 'The key has characters or a length that cannot be used here.',
  'import.addresses':
    'An entry of the IP allow list cannot be read, or it has more than {max}. The token is imported disabled. Check the list before you enable it.',
  'import.type': 'Channel type {type} is not supported.',
  'import.field': 'The field {reason} is not valid or is empty and is left out.',
  'import.channel_refused': 'The channel is not valid: {reason}.',
  'import.option_unknown': 'This setting does not exist here.',
  'import.option_own': 'This setting depends on the installation. Check it in the settings.',
  'import.option_kept': 'This setting was changed here and stays as it is.',
  'import.not_chosen': 'Not selected.',
  'import.code': 'The code is empty or its quota is outside the allowed range.',
  'import.provider': 'The provider of "{model}" is not supported.',
  'import.wildcard': 'Entries with a wildcard or without a name cannot be imported. Add the models by name.',
  'import.variable':
    'A value is in an environment variable that was not given. The channel is imported disabled, without its key.',
  'import.rpm_weight':
    'rpm {rpm} becomes the weight {weight}: it decides which share of the requests the channel gets, and limits nothing.',
  'import.fields_unused': 'These parameters have no counterpart: {fields}.',
  'import.no_counterpart': 'This setting has no counterpart.',
  'import.master_key': 'The master key is not imported. Create an API token instead.',
  'import.group_missing': 'The group {name} is in use but has no ratio. Add it to the group ratios.',
  'import.unit':
    'A quota unit has another value there ({theirs} to the dollar) than here ({ours}). Amounts of quota are imported as they are, so they are worth something else.',
  'import.logs_old':
    'The usage log here is limited to {days} days. {old} entries in the file are older and would soon be removed again. To retain them, first raise the limit, or set it to 0.',
  'import.logs_size':
    'The usage log here holds {megabytes} MB. If it becomes larger, its oldest entries are removed. To keep them, first raise the limit, or set it to 0.',
  'import.unit_changes':
    'A quota unit changes its value here from {ours} to {theirs} to the dollar. Balances, prices and gifts that are here keep their amount of quota, so they are worth something else.',
  'import.unit_kept':
    'What a quota unit is worth here changes only if settings that were changed here are replaced, too.',
  'import.groups_kept':
    'These groups would lose their ratio, but are in use here: {names}. Their ratios stay as they are.',
  'import.logged': '{actor} imported {file} ({origin}): {counts}',
}
