import type { Explanation } from '../catalog/explain.ts';
import type { Identity } from '../catalog/identity.ts';
import type { OpenCatalog } from '../compose/open-catalog.ts';
import { quote } from '../core/quote.ts';

export interface ExplainOptions {
  readonly ref: string;
  /** Absent: whoever needs no key, else a caller that nothing narrows. */
  readonly caller?: string;
  /** One JSON document instead of lines. */
  readonly json: boolean;
  readonly print: (line: string) => void;
}

/** `tool-broker explain`: why a tool can or cannot be called. Exit code 0 when it can, 1 when not, 2 for an unknown caller. */
export function explainTool(
  { explain, callers, catalog, policy }: OpenCatalog,
  options: ExplainOptions,
): number {
  const { ref, caller, json, print } = options;
  const known = policy.callers.map(({ name }) => name).toSorted();
  const who = callers.named(caller ?? 'anonymous') ?? (caller === undefined ? anyone(catalog) : undefined);
  if (who === undefined) {
    const names = known.length === 0 ? 'The policy names none.' : `The policy names ${known.join(', ')}.`;
    print(`There is no caller ${quote(caller)}, or its key has expired. ${names}`);
    return 2;
  }
  const explanation = explain(ref, who);
  if (json) print(JSON.stringify(toDocument(ref, who, explanation), undefined, 2));
  else print(toLine(explanation));
  return explanation.reason === 'allowed' ? 0 : 1;
}

/** What the policy approves, before it narrows anything for anyone. */
function anyone(catalog: OpenCatalog['catalog']): Identity {
  const approved = catalog.known.filter((tool) => tool.approved).map(({ entry }) => entry.ref);
  return {
    caller: { name: 'a caller without a profile or list of its own', roles: ['runner'] },
    grant: { approved: new Set(approved) },
  };
}

function toLine({ reason, detail, place }: Explanation): string {
  return `${reason}: ${detail}${place === undefined ? '' : ` (${formatPlace(place)})`}`;
}

function toDocument(
  ref: string,
  { caller }: Identity,
  { reason, entry, detail, place }: Explanation,
): object {
  return {
    ref,
    ...(entry && { tool: entry.ref, origin: entry.spec.origin }),
    caller: caller.name,
    allowed: reason === 'allowed',
    reason,
    detail,
    ...(place && { policy_place: formatPlace(place) }),
  };
}

function formatPlace({ source, line, column }: NonNullable<Explanation['place']>): string {
  return [source, line, column].filter((part) => part !== undefined).join(':');
}
