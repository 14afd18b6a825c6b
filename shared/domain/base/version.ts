// The version of this build, the same in `ridethrough version`, the API, the metrics and every worker's hello.

export const version = '1.0.0';
