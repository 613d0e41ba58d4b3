/** The gateway's own responses to relayed requests: the problem and the remedy (docs/reference/errors.md#refusals). */
export const relay = {
  'relay.noToken': 'No API token was sent. Send one as "Authorization: Bearer sk-...".',
  'relay.badToken': 'The API token is not valid. Check that it was copied completely.',
  'relay.badSecret': 'The client secret is not valid or has expired. Create a new one.',
  'relay.secretSession':
    'The client secret is for another model or kind of session. Connect without "model" and "intent".',
  'relay.tooManySecrets':
    'Your account has too many active client secrets. Wait until some of them expire, or reduce their session settings.',
  'relay.tokenExhausted': 'This token has no quota left. Raise its quota or use another token.',
  'relay.tokenExpired': 'This token has expired. Extend its expiry or use another token.',
  'relay.tokenDisabled': 'This token is disabled. Enable it in the console or use another token.',
  'relay.userBanned': 'The account of this token has been banned. Contact the administrator.',
  'relay.userMissing': 'The account of this token no longer exists.',
  'relay.channelSuffix': 'Only administrators can choose a channel. Remove the channel suffix from the token.',
  'relay.ipDenied': 'Your IP address is not on the allow list of this token. Add it to the list, or use another token.',
  'relay.groupDenied': 'This token cannot use the group {group}. Choose another group for it.',
  'relay.groupDeprecated': 'The group {group} no longer exists. Choose another group for this token.',
  'relay.badChannel': 'No channel has this ID. Check the channel suffix of the token.',
  'relay.channelDisabled': 'The requested channel is disabled. Enable it, or remove the channel suffix from the token.',
  'relay.modelDenied': 'This token cannot use the model {model}. Add it to the models of the token.',
  'relay.modelDeniedAll': 'This token cannot use any model. Add models to the token, or turn off its model limit.',
  'relay.badRequest': 'Invalid request: {reason}',
  'relay.badJson': 'Invalid request: the body is not valid JSON.',
  'relay.modelTooLong': 'Invalid request: "model" is longer than {limit} characters.',
  'relay.modelMissing': 'Invalid request: "model" is missing.',
  'relay.messagesMissing': 'Invalid request: "messages" must be a non-empty array.',
  'relay.fieldMissing': 'Invalid request: "{field}" is missing or empty.',
  'relay.fieldInvalid': 'Invalid request: "{field}" is not valid.',
  'relay.fieldTooLong': 'Invalid request: "{field}" is longer than {max} characters. Send it in parts.',
  'relay.formNeeded': 'Invalid request: this endpoint requires multipart/form-data with a file.',
  'relay.noImages':
    'The upstream returned no image because its filter blocked the prompt or the result. Change the prompt and try again.',
  'relay.notFound': 'Invalid URL ({method} {path})',
  'relay.notFoundNear': 'Invalid URL ({method} {path}). Did you mean {meant}?',
  'relay.notImplemented': 'This endpoint is not available on this gateway.',
  'relay.noBatches': 'Batches are not available on this gateway. Send the requests one at a time.',
  'relay.noFiles':
    'This gateway does not store files. Send the content of the file, or its URL, in the request itself.',
  'relay.noVideos': 'Video generation is not available on this gateway.',
  'relay.responsesOnly':
    'The channel for the model {model} has no Responses API, which "{field}" requires. Remove the field, or use a model whose channel has one.',
  'relay.noBackground':
    'This gateway does not support background mode. Remove "{field}", and stream the response if it takes long.',
  'relay.noResponse': 'The response {id} has expired or was never stored.',
  'relay.preparedTooLong': 'A turn that is prepared has at most {limit} MiB, with all that it goes on from.',
  'relay.noPreviousResponse':
    'The previous response {id} has expired or was never stored. Send the whole conversation in "input".',
  'relay.responseElsewhere':
    'The response {id} belongs to a channel that is disabled or no longer offers you this model. Send the whole conversation in "input", or ask the administrator to enable the channel.',
  'relay.noConversation': 'The conversation {id} has expired or does not exist.',
  'relay.noConversations': 'This gateway does not store conversations. Send the whole conversation in "input".',
  'relay.conversationFull': 'The conversation {id} is full. Delete items from it, or create a new one.',
  'relay.conversationsFull': 'Your account has too many conversations. Delete some of them.',
  'relay.turnItems': 'A turn of a conversation can have at most {max} items. Send fewer of them in "input".',
  'relay.itemTooLong': 'An item of a conversation can have at most {mebibytes} MiB. Send shorter ones in "input".',
  'relay.twoHistories': '"conversation" and "previous_response_id" cannot be used together. Remove one of them.',
  'relay.noItem': 'The conversation has no item {id}.',
  'relay.itemExists': 'The conversation already has an item {id}. Omit its "id", or delete that item first.',
  'relay.cannotConvert':
    'The channel uses {target}, which does not support "{field}". Remove the field, or use a model whose channel uses the same API format as your request.',
  'relay.tooManyImages': 'A message for this model can contain at most {count} images. Send fewer.',
  'relay.tooLarge': 'The request body is larger than {limit}. Send a smaller one.',
  'relay.tooManyValues': 'The request body contains more than {count} values. Send fewer.',
  'relay.tooManyFields': 'The request body contains more than {count} fields. Send fewer.',
  'relay.tooManySchemaFields':
    'The schemas of the tools and of the output contain more than {count} fields and list items together. Send fewer.',
  'relay.tooManyNames': 'The request body contains more than {count} different field names. Send fewer.',
  'relay.tooMuchText': 'The request body contains more than {count} MiB of text outside of files. Send less.',
  'relay.argumentsTooLong':
    'The tools, their arguments and results, and the output schema in the request contain more than {count} MiB. Send less.',
  'relay.bodiesBusy': 'The gateway is processing too many large requests. Try again in a moment.',
  'relay.unsupportedEncoding': 'This Content-Encoding is not supported. Use gzip, br, zstd, deflate or none.',
  'relay.sensitiveWords': 'The request contains words that the administrator has blocked. Remove them and try again.',
  'relay.accessTokenUnsupported': 'The playground requires a login session. Access tokens are not supported.',
  'relay.noChannel':
    'No channel is available for the model {model} in the group {group}. Ask the administrator to add or enable one.',
  'relay.promptTooLong':
    'The prompt has about {tokens} tokens, but the channels for this model accept at most {limit}. Shorten the prompt.',
  'relay.notOffered':
    'No channel for the model {model} supports this type of request ({endpoint}). Use another endpoint, or ask the administrator to add a channel that supports it.',
  'relay.autoGroupsOff': 'No groups are set up for automatic selection. Choose a group for this token.',
  'relay.mappingCycle': 'The model mapping of the channel contains a loop. Ask the administrator to correct it.',
  'relay.noModel': 'The model {model} does not exist, or this token cannot use it.',
  'relay.noPrice':
    'No price is set for the model {model}. Ask the administrator to set one or to turn on self-use mode.',
  'relay.cannotLimit':
    'Your quota does not cover the longest possible response, and the length of this one cannot be limited. Ask the administrator for more quota.',
  'relay.streamQuota': 'The response was cut off because the remaining quota is used up.',
  'relay.userQuota': 'Your quota is used up. Ask the administrator for more.',
  'relay.userQuotaShort':
    'Your quota is not enough: {have} left, this request needs at least {need}. Ask the administrator for more.',
  'relay.tokenQuotaShort':
    'The quota of this token is not enough: {have} left, this request needs at least {need}. Raise the quota of the token to continue.',
  'relay.rateSuccess': 'Rate limit reached: at most {count} successful requests in {minutes} minutes.',
  'relay.rateTotal': 'Rate limit reached: at most {count} requests in {minutes} minutes, including failed ones.',
  'relay.tokenRequests':
    'This token has reached its limit of {count} requests per minute. Try again in {seconds} seconds.',
  'relay.tokenTokens': 'This token has reached its limit of {count} tokens per minute. Try again in {seconds} seconds.',
  'relay.budgetUsed':
    'The {window} budget of this token does not cover this request: {left} of {limit} is left, at least {need} is needed. The budget resets at {reset}.',
  'relay.budgetHeld':
    'The rest of the {window} budget of this token is reserved for requests in progress. Try again when they have finished.',
  'relay.budgetTooSmall':
    'This request needs at least {need}, which is more than the whole {window} budget of this token ({limit}). Raise the budget to continue.',
  'relay.upstreamFailed': 'The upstream service could not be reached. Try again later.',
  'relay.upstreamTimeout': 'The upstream service did not respond in time. Try again later.',
  'relay.upstreamStatus': 'The upstream service responded with status {status}.',
  'relay.upstreamUnreadable': 'The upstream service sent a response that could not be read.',
  'relay.saturated': 'The upstream services of the group {group} are saturated. Try again later.',
  'relay.upstreamQuota':
    'The account behind the upstream services of the group {group} has no quota left. Contact the administrator.',
  'relay.accountData':
    'The channel does not pass on "{field}", which names data of the provider account. Send files in the request. An administrator can allow it in the channel’s settings.',
  'relay.mediaUrl': 'A file address must be a complete http or https URL without a username.',
  'relay.mediaAddress':
    'Files cannot be fetched from {host}. Use a public address on port 80, 443, 8080 or 8443, or send the file inline.',
  'relay.mediaHttps': 'Files can only be fetched from https addresses. Use one, or send the file inline.',
  'relay.mediaStatus': 'The file at {host} could not be fetched: the server responded with status {status}.',
  'relay.mediaFailed': 'The file at {host} could not be fetched. Check its address, or send the file inline.',
  'relay.mediaTimeout': 'The file at {host} did not arrive within {seconds} seconds. Try again, or send it inline.',
  'relay.mediaTooLarge': 'The file at {host} is larger than {limit}. Use a smaller one.',
  'relay.mediaTooMany': 'The request refers to more than {count} files by URL. Send fewer.',
  'relay.mediaTooMuch': 'The files referred to by URL are larger than {limit} in total. Send fewer or smaller ones.',
  'relay.mediaType': 'The file at {host} has the type {type}, which is not supported here.',
  'relay.tasksTooLarge': 'The response would be larger than 4 MiB. Request fewer IDs.',
  'relay.noTask': 'This account has no task {id}. Check the ID.',
  'relay.idNotTraceable':
    'The gateway does not know to whom "{field}" belongs at the provider, and does not accept it. Leave it out.',
  'relay.tooManyFreeDrawings':
    'This account has {count} free drawings that are not finished. Try again when some of them have finished.',
  'relay.severalDrawings':
    'This prompt makes Midjourney draw several pictures for the price of one: it has --repeat, --r or a list in braces. Send each drawing separately.',
  'relay.drawingNotDone': 'The drawing {id} is not finished. Wait until it has succeeded.',
  'relay.taskChannelGone': 'The channel of this task no longer exists. Submit it again from the beginning.',
  'relay.taskChannelDisabled': 'The channel of this task is disabled. Ask the administrator to enable it.',
  'relay.noImage': 'The image does not exist, or the link to it is no longer valid.',
  'relay.imageFailed': 'The image could not be fetched from the upstream. Try again later.',
  'relay.noNotices': 'Callbacks are turned off on this gateway.',
  'relay.storageFull': 'The disk of the gateway is full. Try again once there is room.',
  'relay.storageLocked': 'Another program has locked the database of the gateway. Try again later.',
  'relay.storageUnavailable': 'The gateway cannot write to its database at the moment. Try again later.',
  'relay.below_path':
    'The console cannot be opened below a path of a reverse proxy: it needs its own host name, such as ai.example.com.',
  'relay.misdirected': 'This gateway does not serve this host name. Add it to ALLOWED_HOSTS or set ServerAddress.',
  'relay.slowBody': 'The request body arrived too slowly. Send at least {rate}.',
  'relay.badTarget': 'Invalid request: the request target is not a path.',
  'relay.severalHosts': 'Invalid request: it has more than one Host header.',
  'relay.methodRefused': 'This request method is not supported.',
  'relay.tooManyOfUser':
    'This account has reached its limit of {count} concurrent requests. Try again when some of them have finished.',
  'relay.tooManyOfKey':
    'This token has reached its limit of {count} concurrent requests. Try again when some of them have finished.',
  'relay.overloaded': 'The gateway is overloaded. Try again later.',
  'relay.stopping': 'The gateway is shutting down. Try again in a moment.',
  'relay.paused': 'The operator of this gateway has paused it. Try again later.',
  'relay.tooManySockets': 'This account has reached its limit of {count} open WebSocket connections. Close one first.',
  'relay.socketFrame': 'The frame is not an event. Send text frames that contain a JSON object.',
  'relay.socketEvent': 'This connection does not support events of the type "{type}". Send "response.create".',
  'relay.socketBusy':
    'A response is already in progress on this connection. Wait until it ends, or open another connection.',
  'relay.socketHour': 'This connection has reached its limit of 60 minutes. Open a new one to continue.',
  'relay.internal': 'Internal error. Give this ID to the administrator: {id}',
}
