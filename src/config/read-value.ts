import { isName } from '../core/ref.ts';
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';

import { MAX_PORT } from './variables.ts';

export function wholeNumber(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^(?:0|[1-9]\d{0,15})$/u.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

/** White space around an item does not count; an item that is empty or that `read` refuses spoils the list. */
export function listOf<Item>(
  read: (text: string) => Item | undefined,
): (text: string) => readonly Item[] | undefined {
  return (text) => {
    if (text.trim() === '') return [];
    const items = text.split(',').map((item) => (item.trim() === '' ? undefined : read(item.trim())));
    return items.every((item) => item !== undefined) ? items : undefined;
  };
}

export function readBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

export function readPath(text: string): string | undefined {
  return text.includes('\0') ? undefined : resolve(text);
}

export function readHost(text: string): string | undefined {
  return isIP(text) > 0 || isHostName(text) ? text : undefined;
}

function isHostName(text: string): boolean {
  return text.length <= 253 && /^(?!-)[a-z\d-]{1,63}(?<!-)(?:\.(?!-)[a-z\d-]{1,63}(?<!-))*$/iu.test(text);
}

export function readHostPort(text: string): string | undefined {
  const [, host = '', port = '0'] = /^(\[[\da-f:.]+\]|[^[\]:]+)(?::(\d+))?$/iu.exec(text) ?? [];
  const isHost = host.startsWith('[') ? isIP(host.slice(1, -1)) === 6 : isHostName(host);
  return isHost && wholeNumber(0, MAX_PORT)(port) !== undefined ? text.toLowerCase() : undefined;
}

export function readOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/u.test(url.protocol) && url.origin === text ? text : undefined;
}

export function isLoopback(host: string): boolean {
  const kind = isIP(host);
  if (kind === 0) return host.toLowerCase() === 'localhost';
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(host, kind === 4 ? 'ipv4' : 'ipv6');
}

export interface SkillsDir {
  readonly label: string;
  /** Absolute. */
  readonly root: string;
}

/** `label=/path,label2=/path2`, no label twice. */
export function readSkillsDirs(text: string): readonly SkillsDir[] | undefined {
  const dirs = listOf(readSkillsDir)(text);
  const labels = new Set(dirs?.map((dir) => dir.label));
  return dirs?.length === labels.size ? dirs : undefined;
}

function readSkillsDir(text: string): SkillsDir | undefined {
  const at = text.indexOf('=');
  const [label, path] = [text.slice(0, at), text.slice(at + 1)];
  const root = at > 0 && path !== '' ? readPath(path) : undefined;
  return root !== undefined && isName(label) ? { label, root } : undefined;
}
