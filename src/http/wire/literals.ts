import { Type, type TUnsafe } from 'typebox';

/** One of a few strings, as the `enum` that readers of OpenAPI expect. */
export function literals<const T extends string>(values: readonly T[], description: string): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], description });
}
