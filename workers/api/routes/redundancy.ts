// The redundancy groups' own route; their rows are part of GET /api/v1/ups.
import type { GroupExplainBody } from '../../../shared/http/bodies.js';
import type { RedundancyRow } from '../../../shared/domain/status-model.js';
import { Problem } from '../problem.js';
import type { Room } from './room.js';
import { findGroup } from './room.js';
import type { Route } from './route.js';
import { json } from './route.js';

export function redundancyRoutes(room: Room): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/redundancy/{group}/explain',
      description: 'Whether the quorum of a redundancy group holds, and how far it is from being lost.',
      auth: 'read',
      answer: async ({ params }) => {
        const group = findGroup(room, params['group'] ?? '');
        if (group === undefined)
          throw new Problem(
            'NOT_FOUND',
            'No redundancy group of this name is configured. GET /api/v1/ups lists them all.',
          );
        return json(await groupExplanation(room, group));
      },
    },
  ];
}

export async function groupExplanation(
  room: Room,
  { name, groupId }: RedundancyRow,
): Promise<GroupExplainBody> {
  return { group: name, ...(await room.questions.explain(groupId)) };
}
