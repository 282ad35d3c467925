import type { FastifyInstance } from 'fastify';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Router = Pick<FastifyInstance, 'findRoute'>;

/** The methods that some route takes at this path; empty where there is no route at all. */
export function allowedMethods(app: Router, url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  return METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
}
