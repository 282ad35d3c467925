/** One quota as a caller may see it, in the terms of the RateLimit header fields. */
export interface QuotaView {
  readonly name: 'calls' | 'rate';
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until it is full again, or the run is over. */
  readonly resetSeconds: number;
  readonly windowSeconds: number;
}
