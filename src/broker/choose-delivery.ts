import type { Delivery } from './invocation.ts';

/** A file above the inline limit is linked where it was wanted in the envelope. */
export function chooseDelivery(
  sizeBytes: number,
  wanted: { readonly delivery: Delivery; readonly inlineBytes: number },
): Delivery {
  return wanted.delivery === 'inline' && sizeBytes > wanted.inlineBytes ? 'link' : wanted.delivery;
}
