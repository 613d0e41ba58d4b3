/** What the gateway itself answers to a relayed request: what is wrong and what to do (spec/relay.md §4.2, §5, §6, §7). */
export const relay = {
  'relay.noToken': 'No API token was sent. Send one as "Authorization: Bearer sk-...".',
  'relay.badToken': 'The API token is not valid. Check that it was copied completely.',
  'relay.tokenExhausted': 'This token has no quota left. Raise its quota or use another token.',
  'relay.tokenExpired': 'This token has expired. Extend its expiry or use another token.',
  'relay.tokenDisabled': 'This token is disabled. Enable it in the console or use another token.',
  'relay.userBanned': 'The account of this token has been banned. Contact the administrator.',
  'relay.userMissing': 'The account of this token no longer exists.',
  'relay.channelSuffix': 'Only administrators may pick a channel. Use the token without the channel suffix.',
  'relay.ipDenied': 'Your IP address is not on the allow list of this token.',
  'relay.groupDenied': 'This token may not use the group {group}. Choose another group for it.',
  'relay.groupDeprecated': 'The group {group} no longer exists. Choose another group for this token.',
  'relay.badChannel': 'There is no channel with this id.',
  'relay.channelDisabled': 'The channel you picked is disabled.',
  'relay.modelDenied': 'This token may not use the model {model}. Add it to the model limits of the token.',
  'relay.modelDeniedAll': 'This token may not use any model. Add models to its limits or turn the limits off.',
  'relay.badRequest': 'Invalid request: {reason}',
  'relay.badJson': 'Invalid request: the body is not valid JSON.',
  'relay.modelMissing': 'Invalid request: "model" is missing.',
  'relay.messagesMissing': 'Invalid request: "messages" must be a non-empty list.',
  'relay.fieldMissing': 'Invalid request: "{field}" is missing or empty.',
  'relay.fieldInvalid': 'Invalid request: "{field}" is not valid.',
  'relay.formNeeded': 'Invalid request: this endpoint takes a form (multipart/form-data) with a file.',
  'relay.noImages': 'The upstream made no image: its filter refused the prompt or the result. Change the prompt.',
  'relay.notFound': 'Invalid URL ({method} {path})',
  'relay.notImplemented': 'This endpoint is not available on this gateway.',
  'relay.unsupportedEndpoint': 'The channel of the model {model} cannot answer {path}. Use another endpoint or model.',
  'relay.responsesOnly':
    'The channel of the model {model} has no Responses API of its own, which "{field}" needs. Leave it out, or use a model whose channel has one.',
  'relay.noBackground':
    'This gateway does not answer in the background. Leave "background" out, and stream the answer if it takes long.',
  'relay.noResponse': 'There is no response with the id {id}. It may have expired, or was never kept.',
  'relay.noPreviousResponse':
    'There is no previous response with the id {id}. It may have expired, or was never kept: send the whole conversation in "input".',
  'relay.responseElsewhere':
    'The response {id} lies with a channel that is disabled or no longer offers the model to you. Send the whole conversation in "input", or ask the administrator to enable the channel.',
  'relay.cannotConvert':
    'The channel speaks {target}, which has no way to say "{field}". Leave it out, or use a model whose channel speaks your dialect.',
  'relay.tooManyImages': 'One message may have at most {count} images for this model. Send fewer.',
  'relay.tooLarge': 'The request body is larger than {limit}. Send a smaller one.',
  'relay.unsupportedEncoding': 'The Content-Encoding of the request is not supported. Use gzip, br, deflate or none.',
  'relay.sensitiveWords': 'The request contains words the administrator has blocked.',
  'relay.accessTokenUnsupported': 'The playground works with a signed-in session only, not with an access token.',
  'relay.noChannel':
    'No channel is available for the model {model} in the group {group}. Ask the administrator to add or enable one.',
  'relay.notOffered':
    'No channel of the model {model} is of a type that offers this kind of request ({endpoint}). Ask for it in another way, or have the administrator add a channel that does.',
  'relay.autoGroupsOff': 'No group is set up for automatic choice. Choose a group for this token.',
  'relay.mappingCycle': 'The model mapping of the channel runs in a circle. The administrator must correct it.',
  'relay.mappingInvalid': 'The model mapping of the channel is not valid JSON. The administrator must correct it.',
  'relay.channelBusy': 'All channels of the model {model} are busy. Try again in a moment.',
  'relay.noModel': 'The model {model} does not exist or this token may not use it.',
  'relay.noPrice': 'No price is set for the model {model}. The administrator can set one, or turn on self-use mode.',
  'relay.userQuota': 'Your quota is used up. Top up to go on.',
  'relay.userQuotaShort':
    'Your quota is not enough: {have} left, this request may need {need}. Top up or lower max_tokens.',
  'relay.tokenQuotaShort':
    'The quota of this token is not enough: {have} left, this request may need {need}. Raise it or lower max_tokens.',
  'relay.rateSuccess': 'Rate limit reached: at most {count} successful requests in {minutes} minutes.',
  'relay.rateTotal': 'Rate limit reached: at most {count} requests in {minutes} minutes, failed ones included.',
  'relay.tokenRequests':
    'This token may make {count} requests in a minute, which it has. Try again in {seconds} seconds.',
  'relay.tokenTokens':
    'The answers of the last minute have used up the {count} tokens that this token may use. Try again in {seconds} seconds.',
  'relay.budgetUsed':
    'The budget of this token for {window} does not cover this request: {left} of {limit} is left, it may need {need}. The budget begins anew at {reset}.',
  'relay.budgetHeld':
    'What is left of the budget of this token for {window} is set aside for its requests that are running. Try again when they have ended.',
  'relay.budgetTooSmall':
    'This request may need {need}, which is more than the whole budget of this token for {window} ({limit}). Lower max_tokens, or have the budget raised.',
  'relay.upstreamFailed': 'The upstream service could not be reached. Try again later.',
  'relay.upstreamTimeout': 'The upstream service did not answer in time. Try again later.',
  'relay.upstreamStatus': 'The upstream service answered with status {status}.',
  'relay.upstreamUnreadable': 'The upstream service sent an answer that could not be read.',
  'relay.saturated': 'The upstream services of the group {group} are saturated. Try again later.',
  'relay.streamBroken': 'The upstream stream broke off before its end.',
  'relay.mediaUrl': 'The address of a file must be a complete http or https URL without a user name.',
  'relay.mediaAddress':
    'Files may not be fetched from {host}. Use a public address on port 80, 443, 8080 or 8443, or send the file inline.',
  'relay.mediaHttps': 'Files can be fetched from https addresses only. Use one, or send the file inline.',
  'relay.mediaStatus': 'The file at {host} could not be fetched: its server answered with status {status}.',
  'relay.mediaFailed': 'The file at {host} could not be fetched. Check its address, or send the file inline.',
  'relay.mediaTimeout': 'The file at {host} did not arrive within {seconds} seconds. Try again, or send it inline.',
  'relay.mediaTooLarge': 'The file at {host} is larger than {limit}. Use a smaller one.',
  'relay.mediaType': 'The file at {host} is of the type {type}, which cannot be used here.',
  'relay.storageUnavailable': 'The gateway cannot write to its database at the moment. Try again later.',
  'relay.misdirected': 'This gateway does not answer to that host name. Add it to ALLOWED_HOSTS or set ServerAddress.',
  'relay.slowBody': 'The request body came too slowly. Send at least {rate}.',
  'relay.severalHosts': 'Invalid request: it has more than one Host header.',
  'relay.methodRefused': 'This gateway does not take requests with this method.',
  'relay.tooManyOfUser':
    'This account has {count} requests in progress, which is the most. Try again when some of them have ended.',
  'relay.tooManyOfKey':
    'This token has {count} requests in progress, which is the most. Try again when some of them have ended.',
  'relay.overloaded': 'The gateway is overloaded. Try again later.',
  'relay.stopping': 'The gateway is shutting down. Try again in a moment.',
  'relay.tooManySockets': 'This account has {count} WebSocket connections open, which is the most. Close one first.',
  'relay.socketFrame': 'The frame is not an event: send text frames that hold a JSON object.',
  'relay.socketEvent': 'This connection takes no events of the type "{type}". Send "response.create".',
  'relay.socketBusy': 'A response is under way on this connection. Wait for its end, or open another connection.',
  'relay.socketHour': 'The connection has been open for 60 minutes, which is the most. Open a new one to go on.',
  'relay.internal': 'Internal error. Give the administrator this id: {id}',
}
