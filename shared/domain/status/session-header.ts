// Where the page sends the token of its session (specification/api.md#credentials): a proxy with a login of its own owns
// `Authorization`.

/** In lower case. */
export const sessionHeader = 'x-ridethrough-session';
