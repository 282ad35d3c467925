import { describeConcealed, findConcealed } from './concealed.ts';

export interface ConcealedPlace {
  /** JSON pointer of the text, or of the member whose name it is; empty for the root. Holds what is concealed. */
  readonly pointer: string;
  /** As describeConcealed says it; offsets count within that text. */
  readonly told: string;
}

/** The first text or member name in a JSON value, of any depth, that holds concealed characters. */
export function findConcealedInJson(root: unknown): ConcealedPlace | undefined {
  const waiting = [{ value: root, key: '', pointer: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, key, pointer } = next;
    const found = tell(key, pointer) ?? tell(value, pointer);
    if (found !== undefined) return found;
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.entries(value).map(([name, member]: [string, unknown]) => ({
      value: member,
      key: name,
      pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    }));
    waiting.push(...inner.toReversed());
  }
  return undefined;
}

function tell(value: unknown, pointer: string): ConcealedPlace | undefined {
  const told = typeof value === 'string' ? describeConcealed(findConcealed(value)) : '';
  return told === '' ? undefined : { pointer, told };
}
